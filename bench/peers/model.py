"""What the model answers in `bench.peers`: one fact for each request, in the asker's form.

Every message that is added says "My locker number 17 is blue." The newest one, which has the
greatest number of a request, becomes the fact. A request for a fact in the product's form is told
by its prompt.
"""

from __future__ import annotations

import json
import re
from typing import Any

MESSAGE = "My locker number {number} is {colour}."
NUMBERS = re.compile(r"locker number (\d+) is (\w+)")
SEQUENCES = re.compile(r"<message seq=\W+(\d+)")
OUR_PROMPT = "lasting facts about the user"


def answer(request: dict[str, Any]) -> str:
    prompt = "\n".join(str(message["content"]) for message in request["messages"])
    number, colour = max(NUMBERS.findall(prompt), key=lambda pair: int(pair[0]))
    if OUR_PROMPT not in prompt:
        text = MESSAGE.format(number=number, colour=colour)
        return json.dumps({"memory": [{"id": "0", "text": text, "attributed_to": "user"}]})
    fact = {
        "category": "identity",
        "key": f"locker_{number}",
        "value": colour,
        "confidence": 1.0,
        "importance": 0.8,
        "seq": max(map(int, SEQUENCES.findall(prompt))),
        "retracts": False,
    }
    return json.dumps({"facts": [fact]})

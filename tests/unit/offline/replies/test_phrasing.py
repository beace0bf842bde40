from __future__ import annotations

from typing import Any

import pytest

from shared.offline.replies.canned import UNKNOWN
from tests.unit.offline.replies.asking import QUOTES, reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "When did we adopt the puppy?",
            "The week before 9 June 2023: you said on 9 June 2023: “We adopted a puppy last week.”",
        ),
        (
            "When did Ann's puppy come?",
            "8 June 2023: Ann said on 9 June 2023: “My puppy came from a shelter yesterday.”",
        ),
        (
            "What was the vet bill?",
            "You said on 2 July 2023: “The vet bill for the puppy was 90 euros.”",
        ),
        (
            "Where did Ann give a talk?",
            "Ann said on 9 June 2023: “I gave a talk about puppies at the school two months ago.”",
        ),
        ("Is there a submarine in the bathtub?", UNKNOWN),
    ],
)
def test_a_quote_is_told_with_who_said_it_and_when(question: str, answer: Any) -> None:
    assert reply(question, system=QUOTES) == answer


def test_quoted_text_is_shown_as_it_is_and_not_as_markdown() -> None:
    answer = reply("What is the code?", "The code is **[x](http://y)** <b>`z`</b>.", "Noted.")

    assert r"\*\*\[x\](http://y)\*\* \<b\>\`z\`\</b\>" in answer

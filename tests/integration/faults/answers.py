"""What a memory model answers when all is well."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

from tests.fakes.openai_server import FakeOpenAI, Scripted

FACT = {"category": "identity", "key": "city", "value": "Oslo"}
SURE = {
    "confidence": 1.0,
    "importance": 0.9,
    "seq": 0,
    "whose": "user",
    "how": "stated",
    "when": "now",
}
ANSWERS = {
    "summary": Scripted(text=json.dumps({"points": [{"text": "Talk.", "first": 0, "last": 5}]})),
    "episode": Scripted(text=json.dumps({"summary": "They talked.", "key_concepts": ["talk"]})),
    "facts": Scripted(text=json.dumps({"facts": [FACT | SURE]})),
    "title": Scripted(text="Life in Oslo"),
}


def answer_well(
    server: FakeOpenAI, *, delay_s: float = 0, begins: threading.Event | None = None
) -> None:
    server.by_task |= {
        task: replace(answer, delay_s=delay_s, begins=begins) for task, answer in ANSWERS.items()
    }


def answer_with(server: FakeOpenAI, answer: Scripted) -> None:
    """To each memory task."""
    server.by_task |= dict.fromkeys(ANSWERS, answer)

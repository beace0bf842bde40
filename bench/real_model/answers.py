"""Answers to a hundred LoCoMo questions, as token F1: `python -m bench.real_model answers`.

Each question is asked with the product's prompt, without memory, and with only the messages that
contain the answer. Memory has to beat the second and cannot beat the third, which shows how well
the model reads. The stand-in makes the memory, so that only the answers are the model's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from bench.real_model.model import locomo_folder, real_model_settings
from bench.recall.answers import (
    ANSWER,
    Marks,
    Messages,
    ask_model,
    ask_with_memory,
    choose,
    mark,
    print_marks,
    remembered,
)
from bench.recall.chats import Asked, Chat
from shared.services import Services
from shared.settings import STAND_IN_MODEL

QUESTIONS = 100
SHOWN_EVERY = 20  # a run of hours that is cut off has said something
WAYS = ("our prompt", "no memory", "gold messages")


def main() -> None:
    folder = locomo_folder()
    if folder is None or real_model_settings() is None:
        return
    marks: Marks = defaultdict(list)
    with remembered(folder, memory_model=STAND_IN_MODEL, llm_max_tokens=60) as (services, chats):
        for number, (chat, question) in enumerate(choose(chats, QUESTIONS), start=1):
            for way, messages in zip(WAYS, _list_prompts(services, chat, question), strict=True):
                text = ask_model(services, services.settings.llm_model, messages).text
                marks[way, question.kind].append(mark(services, question, text))
            if number % SHOWN_EVERY == 0:
                print_marks(marks, WAYS)


def _list_prompts(services: Services, chat: Chat, question: Asked) -> list[Messages]:
    """In the order of `WAYS`."""
    gold = f"{ANSWER}\n\nWhat was said:\n" + "\n".join(_gold_lines(chat, question))
    return [
        ask_with_memory(services, chat, question),
        [("system", ANSWER), ("user", question.text)],
        [("system", gold), ("user", question.text)],
    ]


def _gold_lines(chat: Chat, question: Asked) -> list[str]:
    """The messages that contain the answer, in order of time, with day and speaker."""
    sessions = {session["title"]: session for session in chat.sessions}
    spots = sorted(
        (str(sessions[title]["created_at"]), sequence, title)
        for title, sequence in question.evidence
    )
    return [
        f"- {created_at[:10]}, {_merge(sessions[title]['messages'])[sequence]}"
        for created_at, sequence, title in spots
    ]


def _merge(messages: Sequence[dict[str, Any]]) -> dict[int, str]:
    """By sequence number. As in the import, consecutive messages of one speaker are joined."""
    first = 0 if messages[0]["role"] == "user" else 1
    by_role = groupby(messages, lambda message: (message["role"], message["name"]))
    return {
        sequence: f"{name}: " + " ".join(message["content"] for message in group)
        for sequence, ((_, name), group) in enumerate(by_role, first)
    }

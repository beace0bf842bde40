"""Reports on questions whose evidence is not all among the first ten messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.recall.chats import Chat, Spot
from bench.recall.scores import Answered, share_found
from shared.recall.query import Reading

LISTED = 10  # messages in a report
SHOWN_CHARS = 200  # of each message


def write_failures(
    folder: Path,
    chats: Sequence[Chat],
    answered: Sequence[Answered],
    readings: Sequence[tuple[Reading, float]],
) -> None:
    """A file for each chat. `readings` has the product's reading and confidence for each answer."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {chat.name: _texts_of(chat) for chat in chats}
    failed: dict[str, list[dict[str, Any]]] = {chat.name: [] for chat in chats}
    for answer, (reading, sure) in zip(answered, readings, strict=True):
        if not _is_right(answer):
            failed[answer.chat].append(_report(answer, reading, sure, texts[answer.chat]))
    for name, questions in failed.items():
        text = json.dumps({"chat": name, "failures": questions}, ensure_ascii=False, indent=2)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")


def _is_right(answer: Answered) -> bool:
    if not answer.question.groups:
        return answer.is_refused
    return share_found(answer.question.groups, answer.ranked[:LISTED]) == 1


def _report(
    answer: Answered, reading: Reading, sure: float, texts: Mapping[Spot, str]
) -> dict[str, Any]:
    return {
        "question": answer.question.text,
        "answer": answer.question.answer,
        "kind": answer.question.kind,
        "read_as": {
            "role": reading.question.role,
            "dates": [str(time) for time in reading.question.dates],
            "for_meaning": reading.question.for_meaning,
        },
        "confidence": round(sure, 3),
        "refused": answer.is_refused,
        "needed": [
            [_line(answer, texts, spot) for spot in sorted(group)]
            for group in answer.question.groups
        ],
        "found": [_line(answer, texts, spot) for spot in answer.ranked[:LISTED]],
    }


def _texts_of(chat: Chat) -> Mapping[Spot, str]:
    """The first words of each message, by its place after the import."""
    texts: dict[Spot, str] = {}
    for session in chat.sessions:
        sequence, role = -1 if session["messages"][0]["role"] == "user" else 0, ""
        for message in session["messages"]:
            sequence += message["role"] != role
            role = message["role"]
            texts.setdefault(
                (session["title"], sequence), f"{role}: {message['content'][:SHOWN_CHARS]}"
            )
    return texts


def _line(answer: Answered, texts: Mapping[Spot, str], spot: Spot) -> str:
    place = list(answer.ranked).index(spot) + 1 if spot in answer.ranked else None
    return f"#{place} {spot[0]} {spot[1]} {texts.get(spot, '')}"

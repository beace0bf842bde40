"""Reports on questions whose evidence is not all among the first ten messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.recall_chats import Chat, Spot
from bench.recall_scores import Answered, share_found
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
    texts = {one.name: _texts_of(one) for one in chats}
    failed: dict[str, list[dict[str, Any]]] = {one.name: [] for one in chats}
    for one, (reading, sure) in zip(answered, readings, strict=True):
        if not _is_right(one):
            failed[one.chat].append(_report(one, reading, sure, texts[one.chat]))
    for name, questions in failed.items():
        text = json.dumps({"chat": name, "failures": questions}, ensure_ascii=False, indent=2)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")


def _is_right(one: Answered) -> bool:
    if not one.asked.groups:
        return one.is_refused
    return share_found(one.asked.groups, one.ranked[:LISTED]) == 1


def _report(
    one: Answered, reading: Reading, sure: float, texts: Mapping[Spot, str]
) -> dict[str, Any]:
    return {
        "question": one.asked.text,
        "answer": one.asked.answer,
        "kind": one.asked.kind,
        "read_as": {
            "role": reading.question.role,
            "dates": [str(time) for time in reading.question.dates],
            "for_meaning": reading.question.for_meaning,
        },
        "confidence": round(sure, 3),
        "refused": one.is_refused,
        "needed": [
            [_line(one, texts, spot) for spot in sorted(group)] for group in one.asked.groups
        ],
        "found": [_line(one, texts, spot) for spot in one.ranked[:LISTED]],
    }


def _texts_of(chat: Chat) -> Mapping[Spot, str]:
    """The first words of each message, by its place after the import."""
    texts: dict[Spot, str] = {}
    for session in chat.sessions:
        sequence, role = -1 if session["messages"][0]["role"] == "user" else 0, ""
        for one in session["messages"]:
            sequence += one["role"] != role
            role = one["role"]
            texts.setdefault(
                (session["title"], sequence), f"{role}: {one['content'][:SHOWN_CHARS]}"
            )
    return texts


def _line(one: Answered, texts: Mapping[Spot, str], spot: Spot) -> str:
    place = list(one.ranked).index(spot) + 1 if spot in one.ranked else None
    return f"#{place} {spot[0]} {spot[1]} {texts.get(spot, '')}"

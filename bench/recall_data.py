"""Read LoCoMo: for each conversation an import file, and questions with their evidence.

Every session becomes a conversation on its day between two named people, one of them the user.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")  # D8:6; D:11:26; D30:05
ADVERSARIAL = 5
CATEGORIES = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", ADVERSARIAL: "adversarial",
}  # fmt: skip

Spot = tuple[str, int]  # a conversation's title and a sequence number


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question and the messages that answer it; those of an adversarial one only seem to."""

    text: str
    answer: str
    category: int
    evidence: frozenset[Spot]


@dataclass(frozen=True, kw_only=True)
class Chat:
    """`sessions` are in the import format; `summaries` are LoCoMo's own, by title."""

    name: str
    sessions: tuple[dict[str, Any], ...]
    summaries: dict[str, str]
    questions: tuple[Asked, ...]


def read_chats(folder: Path) -> list[Chat]:
    return [read_chat(path) for path in sorted(folder.glob("*.json"))]


def read_chat(path: Path) -> Chat:
    raw = json.loads(path.read_text("utf-8"))
    spots: dict[str, Spot] = {}
    sessions, summaries = [], {}
    for number in _numbers(raw):
        title = f"Session {number}"
        sessions.append(_session(raw, number, title))
        spots.update(_spots(raw, number, title))
        summaries[title] = raw.get(f"session_{number}_summary", "")
    questions = [_question(one, spots) for one in raw["qa"]]
    return Chat(
        name=path.stem,
        sessions=tuple(sessions),
        summaries=summaries,
        questions=tuple(one for one in questions if one.evidence),
    )


def _numbers(raw: dict[str, Any]) -> list[int]:
    found = (re.fullmatch(r"session_(\d+)", key) for key in raw)
    return sorted(int(match[1]) for match in found if match and raw[match[0]])


def _session(raw: dict[str, Any], number: int, title: str) -> dict[str, Any]:
    told = raw[f"session_{number}_date_time"]
    began = datetime.strptime(told, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return {
        "title": title,
        "created_at": began.isoformat(),
        "messages": [
            {
                "role": _role(raw, turn),
                "name": turn["speaker"],
                "content": with_picture(turn),
                "created_at": (began + timedelta(minutes=minute)).isoformat(),
            }
            for minute, turn in enumerate(raw[f"session_{number}"])
        ],
    }


def _spots(raw: dict[str, Any], number: int, title: str) -> Iterator[tuple[str, Spot]]:
    """The message that each turn becomes: consecutive turns of a speaker are merged."""
    turns = raw[f"session_{number}"]
    first = 0 if _role(raw, turns[0]) == "user" else 1
    for sequence, (_, said) in enumerate(itertools.groupby(turns, lambda t: t["speaker"]), first):
        for turn in said:
            yield turn["dia_id"], (title, sequence)


def _role(raw: dict[str, Any], turn: dict[str, str]) -> str:
    return "user" if turn["speaker"] == raw["speaker_a"] else "assistant"


def with_picture(turn: dict[str, str]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} (shows {caption})" if caption else turn["text"]


def _question(raw: dict[str, Any], spots: dict[str, Spot]) -> Asked:
    """Evidence that names no known turn is left out."""
    ids = [f"D{int(a)}:{b}" for text in raw["evidence"] for a, b in EVIDENCE.findall(text)]
    return Asked(
        text=raw["question"],
        answer=str(raw.get("answer", "")),
        category=raw["category"],
        evidence=frozenset(spots[one] for one in ids if one in spots),
    )

"""Read a file of LoCoMo (ACL 2024), or of data in its form: two people over many days.

Every session becomes a conversation on its day between two named people, one of them the user. The
data's licence (CC BY-NC) allows measuring with it; it is no part of this project.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.recall.chats import Asked, Chat, Spot

EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")  # D8:6; D:11:26; D30:05
ADVERSARIAL = "adversarial"  # of the wrong person: nothing that was said answers it
KINDS = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: ADVERSARIAL,
}  # fmt: skip


def read_chat(name: str, raw: Mapping[str, Any]) -> Chat:
    spots: dict[str, Spot] = {}
    sessions = []
    for number in _numbers(raw):
        title = f"Session {number}"
        sessions.append(_session(raw, number, title))
        spots.update(_spots(raw, number, title))
    questions = [_question(entry, spots) for entry in raw["qa"]]
    return Chat(
        name=name,
        sessions=tuple(sessions),
        questions=tuple(
            question for question in questions if question.groups or question.kind == ADVERSARIAL
        ),
        last_day=max(datetime.fromisoformat(session["created_at"]).date() for session in sessions),
    )


def _numbers(raw: Mapping[str, Any]) -> list[int]:
    """Of the sessions in which anything was said."""
    matches = (re.fullmatch(r"session_(\d+)", key) for key in raw)
    return sorted(int(match[1]) for match in matches if match and raw[match[0]])


def _session(raw: Mapping[str, Any], number: int, title: str) -> dict[str, Any]:
    date_text = raw[f"session_{number}_date_time"]
    begin = datetime.strptime(date_text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return {
        "title": title,
        "created_at": begin.isoformat(),
        "messages": [
            {
                "role": _role(raw, turn),
                "name": turn["speaker"],
                "content": _with_picture(turn),
                "created_at": (begin + timedelta(minutes=minute)).isoformat(),
            }
            for minute, turn in enumerate(raw[f"session_{number}"])
        ],
    }


def _with_picture(turn: Mapping[str, str]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} (shows {caption})" if caption else turn["text"]


def _spots(raw: Mapping[str, Any], number: int, title: str) -> Iterator[tuple[str, Spot]]:
    """The message that each turn becomes: consecutive turns of a speaker are merged."""
    turns = raw[f"session_{number}"]
    first = 0 if _role(raw, turns[0]) == "user" else 1
    for sequence, (_, group) in enumerate(itertools.groupby(turns, lambda t: t["speaker"]), first):
        for turn in group:
            yield turn["dia_id"], (title, sequence)


def _role(raw: Mapping[str, Any], turn: Mapping[str, str]) -> str:
    return "user" if turn["speaker"] == raw["speaker_a"] else "assistant"


def _question(raw: Mapping[str, Any], spots: Mapping[str, Spot]) -> Asked:
    """Evidence that names no known turn is left out."""
    ids = [f"D{int(a)}:{b}" for text in raw["evidence"] for a, b in EVIDENCE.findall(text)]
    kind = KINDS[raw["category"]]
    needed = (
        {spots[turn_id] for turn_id in ids if turn_id in spots} if kind != ADVERSARIAL else set()
    )
    return Asked(
        text=raw["question"],
        answer=str(raw.get("answer", "")),
        kind=kind,
        groups=tuple(frozenset({spot}) for spot in sorted(needed)),
    )

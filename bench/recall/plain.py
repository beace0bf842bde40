"""Read conversations of people with an assistant, and questions about them, in a plain form.

    {"PERSON": {"conversations": [{"date": "2023-04-27", "messages": [{"role", "content"}]}],
                "questions": [{"question", "answer", "needed": [[["2023-04-27", 3]]],
                               "answerable": true, "kind": "fact", "asked_on": "2023-05-01"}]}}

`needed` are groups of [date, index of the message]: one message of each group is needed for the
answer. Conversations of one date are one conversation. `kind` and `asked_on` may be missing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from bench.recall.chats import Asked, Chat

BEGIN = time(10, 0, tzinfo=UTC)  # of each conversation


def read_people(raw: Mapping[str, Any]) -> list[Chat]:
    """Raises `ValueError` for a question that needs a message which is not there."""
    return [_read_person(name, person) for name, person in raw.items()]


def _read_person(name: str, raw: Mapping[str, Any]) -> Chat:
    talks: dict[str, list[dict[str, str]]] = {}
    for talk in sorted(raw["conversations"], key=lambda conversation: conversation["date"]):
        talks.setdefault(talk["date"], []).extend(talk["messages"])
    talks = {day: messages for day, messages in talks.items() if messages}
    spots = {day: list(_sequences(messages)) for day, messages in talks.items()}
    return Chat(
        name=name,
        sessions=tuple(_session(day, messages) for day, messages in talks.items()),
        questions=tuple(_question(name, question, spots) for question in raw["questions"]),
        last_day=date.fromisoformat(max(talks)),
    )


def _session(day: str, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    begin = datetime.combine(date.fromisoformat(day), BEGIN)
    return {
        "title": day,
        "created_at": begin.isoformat(),
        "messages": [
            {
                "role": message["role"],
                "content": message["content"],
                "created_at": (begin + timedelta(minutes=minute)).isoformat(),
            }
            for minute, message in enumerate(messages)
        ],
    }


def _sequences(messages: Sequence[Mapping[str, str]]) -> Iterator[int]:
    """The number that each message gets: consecutive messages of one role are merged."""
    first = 0 if messages[0]["role"] == "user" else 1  # the importer adds an opening
    by_role = itertools.groupby(messages, lambda message: message["role"])
    for sequence, (_, group) in enumerate(by_role, first):
        for _ in group:
            yield sequence


def _question(person: str, raw: Mapping[str, Any], spots: Mapping[str, Sequence[int]]) -> Asked:
    try:
        groups = tuple(
            frozenset((day, spots[day][index]) for day, index in group)
            for group in raw.get("needed") or ()
            if group
        )
    except (KeyError, IndexError) as exc:
        raise ValueError(f"{person}: {raw['question']!r} needs an unknown message") from exc
    has_answer = raw.get("answerable", True)
    if has_answer and not groups:
        raise ValueError(f"{person}: {raw['question']!r} names no message that answers it")
    day = raw.get("asked_on")
    return Asked(
        text=raw["question"],
        answer=str(raw.get("answer", "")),
        groups=groups if has_answer else (),
        kind=raw.get("kind", ""),
        asked_on=date.fromisoformat(day) if day else None,
    )

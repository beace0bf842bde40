"""Read conversations of people with an assistant, and questions about them, in a plain form.

    {"PERSON": {"conversations": [{"date": "2023-04-27", "messages": [{"role", "content"}]}],
                "questions": [{"question", "answer", "needed": [[["2023-04-27", 3]]],
                               "answerable": true}]}}

`needed` are groups of [date, index of the message]: one message of each group is needed for the
answer. Conversations of one date are one conversation.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from bench.recall_data import Spot

BEGIN = time(10, 0, tzinfo=UTC)  # of each conversation


@dataclass(frozen=True, kw_only=True)
class PersonQuestion:
    text: str
    answer: str
    #: One message of each group is needed. Empty: the question has no answer.
    groups: tuple[frozenset[Spot], ...]


@dataclass(frozen=True, kw_only=True)
class Person:
    """`sessions` are in the import format, one a date; their titles are the dates."""

    name: str
    sessions: tuple[dict[str, Any], ...]
    questions: tuple[PersonQuestion, ...]
    last_day: date


def is_plain_form(path: Path) -> bool:
    """Whether the file has people with conversations. False: it is a file of LoCoMo."""
    raw = json.loads(path.read_text("utf-8"))
    people = raw.values() if isinstance(raw, dict) else ()
    return bool(people) and all(isinstance(one, dict) and "conversations" in one for one in people)


def read_people(path: Path) -> list[Person]:
    """Raises `ValueError` for a question that needs a message which is not there."""
    raw = json.loads(path.read_text("utf-8"))
    return [_person(name, one) for name, one in raw.items()]


def _person(name: str, raw: Mapping[str, Any]) -> Person:
    talks: dict[str, list[dict[str, str]]] = {}
    for talk in sorted(raw["conversations"], key=lambda one: one["date"]):
        talks.setdefault(talk["date"], []).extend(talk["messages"])
    spots = {day: list(_sequences(messages)) for day, messages in talks.items()}
    return Person(
        name=name,
        sessions=tuple(_session(day, messages) for day, messages in talks.items()),
        questions=tuple(_question(name, one, spots) for one in raw["questions"]),
        last_day=date.fromisoformat(max(talks)),
    )


def _session(day: str, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    began = datetime.combine(date.fromisoformat(day), BEGIN)
    return {
        "title": day,
        "created_at": began.isoformat(),
        "messages": [
            {
                "role": one["role"],
                "content": one["content"],
                "created_at": (began + timedelta(minutes=minute)).isoformat(),
            }
            for minute, one in enumerate(messages)
        ],
    }


def _sequences(messages: Sequence[Mapping[str, str]]) -> Iterator[int]:
    """The number that each message gets: consecutive messages of one role are merged."""
    first = 0 if messages[0]["role"] == "user" else 1  # the importer adds an opening
    by_role = itertools.groupby(messages, lambda one: one["role"])
    for sequence, (_, said) in enumerate(by_role, first):
        for _ in said:
            yield sequence


def _question(
    person: str, raw: Mapping[str, Any], spots: Mapping[str, Sequence[int]]
) -> PersonQuestion:
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
    return PersonQuestion(
        text=raw["question"], answer=str(raw.get("answer", "")), groups=groups if has_answer else ()
    )

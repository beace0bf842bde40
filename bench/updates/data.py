"""Long chats in which something changes: cases from `updates.json`, spread over everyday filler.

Ten people, each with one case of every category. Each sentence of a case is in a later conversation
than the one before it. All else is small talk about things that no case asks for.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DATA = json.loads(Path(__file__).with_name("updates.json").read_text("utf-8"))
MONTHS = 8  # with one conversation each
ROUNDS = 24  # of filler in each conversation
BEGIN = datetime(2025, 1, 6, 18, 0, tzinfo=UTC)
NOTED = ("Thanks for telling me.", "Noted.", "Good to know.", "I see.", "All right.")


@dataclass(frozen=True, kw_only=True)
class Case:
    category: str
    texts: tuple[str, ...]
    ask: str
    #: The current value: it must be in the prompt.
    now: str
    #: The former value: it may only be in the prompt with an earlier date.
    before: str | None = None
    #: A value that was never the user's: it must not be among the facts.
    never: str | None = None
    #: The other person whose value `never` is.
    whose: str = ""


@dataclass(frozen=True, kw_only=True)
class Person:
    """`conversations` are in the import format."""

    name: str
    cases: tuple[Case, ...]
    conversations: tuple[dict[str, Any], ...]


def read_people() -> list[Person]:
    """The k-th person has the k-th case of each category, so no two cases share a subject."""
    cases = [
        [Case(category=category, **_tuples(row)) for row in listed]
        for category, listed in DATA["cases"].items()
    ]
    return [
        _person(number, person_cases)
        for number, person_cases in enumerate(zip(*cases, strict=True))
    ]


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"texts": tuple(row["texts"])}


def _person(number: int, cases: tuple[Case, ...]) -> Person:
    chance = random.Random(number)
    month_texts: list[list[str]] = [[] for _ in range(MONTHS)]
    for case in cases:
        months = sorted(chance.sample(range(MONTHS), len(case.texts)))
        for month, text in zip(months, case.texts, strict=True):
            month_texts[month].append(text)
    return Person(
        name=f"person-{number}",
        cases=cases,
        conversations=tuple(
            _conversation(month, month_texts[month], chance) for month in range(MONTHS)
        ),
    )


def _conversation(month: int, texts: list[str], chance: random.Random) -> dict[str, Any]:
    """Filler, with the case's sentences at random positions in it."""
    rounds = [(_filler(chance), chance.choice(DATA["filler"]["answers"])) for _ in range(ROUNDS)]
    for text in texts:
        rounds.insert(chance.randrange(len(rounds)), (text, chance.choice(NOTED)))
    began = BEGIN + timedelta(days=30 * month)
    messages = [
        message for both in rounds for message in zip(("user", "assistant"), both, strict=True)
    ]
    return {
        "id": f"month-{month}",
        "title": f"Month {month + 1}",
        "messages": [
            {
                "role": role,
                "content": text,
                "created_at": (began + timedelta(minutes=2 * index)).isoformat(),
            }
            for index, (role, text) in enumerate(messages)
        ],
    }


def _filler(chance: random.Random) -> str:
    words = {name: chance.choice(listed) for name, listed in DATA["filler"]["words"].items()}
    question: str = chance.choice(DATA["filler"]["questions"])
    return question.format(**words)

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

CASES = Path(__file__).with_name("updates.json")
MONTHS = 8  # with one conversation each
ROUNDS = 24  # of filler in each conversation
BEGIN = datetime(2025, 1, 6, 18, 0, tzinfo=UTC)
NOTED = ("Thanks for telling me.", "Noted.", "Good to know.", "I see.", "All right.")

ASKED = (
    "Can you explain {thing} in simple words?",
    "What should I look out for when buying {goods}?",
    "Give me three ideas for {occasion}, please.",
    "How do I get {stain} out of a shirt?",
    "Is it worth repairing {goods} or should one buy new?",
    "What is the difference between {thing} and what people usually mean by it?",
    "Write a two-line note for a neighbour about {occasion}.",
    "I read an article about {thing} on the train. What is the main argument against it?",
    "How long does {goods} last if it is looked after?",
    "It rained all day. What could one do indoors that has to do with {thing}?",
    "Somebody on the radio mentioned {thing}. When did that begin?",
    "What would be a fair price for {goods}?",
)
ANSWERED = (
    "In short: it depends on how it is used. Start small, compare two or three, and ask again.",
    "There are three things to it: what it costs, how long it takes, and who will look after it.",
    "Most people begin with the simplest form and change it as they learn more.",
    "Cold water first, then a little soap, and patience. The rest is a matter of taste.",
    "A good rule is to wait a week before deciding; few things are urgent.",
    "Historians do not agree on it, but the usual account begins in the nineteenth century.",
)
WORDS = {
    "thing": (
        "inflation", "tidal power", "sourdough", "the offside rule", "double-entry bookkeeping",
        "northern lights", "compound interest", "photosynthesis", "the gold standard", "peat",
        "how magnets work", "the Silk Road", "cloud seeding", "origami", "plate tectonics",
        "sundials", "the printing press", "noise cancelling", "crop rotation", "lighthouses",
    ),
    "goods": (
        "a garden hose", "a rucksack", "a toaster", "rain boots", "a desk lamp", "a tent",
        "a cordless drill", "a mattress", "binoculars", "a kettle", "a suitcase", "a ladder",
        "wool socks", "a mirror", "a bookshelf", "a thermos flask", "a doormat", "scissors",
    ),
    "occasion": (
        "a rainy Sunday", "a farewell card", "a quiz evening", "a street fair", "a picnic",
        "a power cut", "a flea market", "a school play", "a snow day", "a barbecue",
        "a housewarming", "a museum visit", "a long queue", "a litter pick", "a lantern walk",
    ),
    "stain": ("red wine", "candle wax", "grass", "ink", "engine oil", "beetroot", "chocolate"),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Case:
    category: str
    said: tuple[str, ...]
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
    by_category = json.loads(CASES.read_text("utf-8"))
    cases = [
        [Case(category=category, **_tuples(row)) for row in listed]
        for category, listed in by_category.items()
    ]
    return [
        _person(number, person_cases)
        for number, person_cases in enumerate(zip(*cases, strict=True))
    ]


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"said": tuple(row["said"])}


def _person(number: int, cases: tuple[Case, ...]) -> Person:
    chance = random.Random(number)
    month_texts: list[list[str]] = [[] for _ in range(MONTHS)]
    for case in cases:
        months = sorted(chance.sample(range(MONTHS), len(case.said)))
        for month, text in zip(months, case.said, strict=True):
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
    rounds = [(_filler(chance), chance.choice(ANSWERED)) for _ in range(ROUNDS)]
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
    words = {name: chance.choice(listed) for name, listed in WORDS.items()}
    return chance.choice(ASKED).format(**words)

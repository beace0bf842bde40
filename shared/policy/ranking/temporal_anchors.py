"""Times that are themselves a memory: "before I moved", "since we have the dog"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models import Passage

CLAUSE = re.compile(
    r"\b(?P<side>before|until|till|after|since)\s+(?P<text>(?:i|i['’]m|i['’]ve|we|my|our)\b[^?.!,;]+)",
    re.IGNORECASE,
)
EARLIER = ("before", "until", "till")
LEAST_SHARE = 0.5  # of the clause's words, by weight, must the message hold that tells of it

Side = Literal["earlier", "later"]


@dataclass(frozen=True, kw_only=True)
class Landmark:
    """Something that happened, in the question's words, and the side of it that is asked about."""

    side: Side
    text: str


def read_landmark(question: str) -> Landmark | None:
    """The first that is named; in the first person, as `Question.for_meaning` has it."""
    found = CLAUSE.search(question)
    if found is None:
        return None
    side: Side = "earlier" if found["side"].lower() in EARLIER else "later"
    return Landmark(side=side, text=found["text"].strip())


def find_instant(passages: Sequence[Passage], words: Mapping[str, float]) -> datetime | None:
    """When it was told: by the message that holds most of the landmark's `words`, by weight.

    None when none holds enough of them. Of equals the earliest: later ones look back.
    """
    told = [(_held(one, words), one.said_at) for one in passages if not one.asks]
    most = max((held for held, _ in told), default=0.0)
    if most == 0.0 or most < LEAST_SHARE * sum(words.values()):
        return None
    return min(said_at for held, said_at in told if held == most)


def is_on_side(said_at: datetime, instant: datetime, side: Side) -> bool:
    return said_at < instant if side == "earlier" else said_at > instant


def _held(one: Passage, words: Mapping[str, float]) -> float:
    return sum(words.get(word, 0.0) for word in one.held)

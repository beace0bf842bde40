"""A candidate as the stand-in finds it, and which values say anything."""

from __future__ import annotations

from dataclasses import dataclass

from shared.llm.offline import fact_signs as signs
from shared.llm.offline.words import list_words

MAX_VALUE_CHARS = 120
MAX_VALUE_WORDS = 12


@dataclass(frozen=True, kw_only=True)
class FoundFact:
    """One candidate; the fields are those of the facts prompt's JSON."""

    category: str
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool = False


def fits(value: str) -> bool:
    """Whether a value says something: "I love it" does not, nor does "my car is broken"."""
    words = list_words(value)
    says_nothing = not words or words[0] in signs.NO_STARTS or signs.NO_PARTS & set(words)
    return not says_nothing and len(words) <= MAX_VALUE_WORDS

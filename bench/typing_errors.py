"""Typing errors, one at a time: two letters swapped, one dropped, doubled or replaced."""

from __future__ import annotations

import random
import string
from collections.abc import Callable


def swap(word: str, chance: random.Random) -> str:
    """Swap two neighbouring letters that differ."""
    at = chance.choice([n for n in range(len(word) - 1) if word[n] != word[n + 1]])
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def drop(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + word[at + 1 :]


def double(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def put_another(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    others = string.ascii_lowercase.replace(word[at], "")
    return word[:at] + chance.choice(others) + word[at + 1 :]


ERRORS: dict[str, Callable[[str, random.Random], str]] = {
    "two swapped": swap,
    "one dropped": drop,
    "one doubled": double,
    "one replaced": put_another,
}

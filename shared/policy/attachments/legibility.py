"""Whether the text that was read from a PDF is one: fonts may not say which letters they show."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

SAMPLE_CHARS = 20_000
LEAST_CHARS = 5
#: Letters that no text has many of: controls, private and unassigned ones, those that are lost.
MAX_STRANGE_SHARE = 0.05
STRANGE = frozenset(["Cc", "Cn", "Co", "Cs"])
LOST = "\ufffd"
#: Neighbours within a word that are of different scripts.
MAX_MIXED_SHARE = 0.3
LEAST_PAIRS = 8
EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH")
OF_FORMULAS = ("GREEK", "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER")


def is_garbled(text: str) -> bool:
    sample = text[:SAMPLE_CHARS]
    shown = [character for character in sample if not character.isspace()]
    if len(shown) < LEAST_CHARS:
        return False
    strange = sum(
        character == LOST or unicodedata.category(character) in STRANGE for character in shown
    )
    return strange > MAX_STRANGE_SHARE * len(shown) or _is_mixed(sample)


def _is_mixed(text: str) -> bool:
    pairs = [pair for pair in pairwise(text) if pair[0].isalpha() and pair[1].isalpha()]
    mixed = sum(_script(first) != _script(second) for first, second in pairs)
    return len(pairs) >= LEAST_PAIRS and mixed > MAX_MIXED_SHARE * len(pairs)


def _script(letter: str) -> str:
    script = unicodedata.name(letter, "").partition(" ")[0]
    if script.startswith(EAST_ASIAN):
        return "CJK"
    return "LATIN" if script in OF_FORMULAS else script

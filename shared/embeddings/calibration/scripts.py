"""The script that most letters of a text are in."""

from __future__ import annotations

import unicodedata
from collections import Counter

MOST_READ = 500  # letters of a text
JAPANESE = frozenset({"HIRAGANA", "KATAKANA"})


def script_of(text: str) -> str:
    """The script's name in Unicode: "LATIN", "CYRILLIC", "CJK". "": the text has no letters.

    Text with kana is Japanese ("HIRAGANA"), whatever else is in it.
    """
    letters = (unicodedata.name(letter, "") for letter in text[:MOST_READ] if letter.isalpha())
    counts = Counter(name.partition(" ")[0] for name in letters if name)
    if not JAPANESE.isdisjoint(counts):
        return "HIRAGANA"
    return max(counts, key=lambda script: counts[script], default="")

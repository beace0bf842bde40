"""Snippets: the part of a text that a search shows, with its hits marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

# Postgres puts these marks around hits. They are removed from the texts first.
HIT_BEGINS, HIT_ENDS = "\x01", "\x02"
BEFORE_CHARS, AFTER_CHARS = 60, 180
CUT = "…"

Pieces = list[tuple[str, bool]]  # (text, is_hit)


def pieces_of(marked: str) -> Pieces:
    """Split a text at the marks `HIT_BEGINS` and `HIT_ENDS` around its hits."""
    texts = re.split(f"[{HIT_BEGINS}{HIT_ENDS}]", marked)
    return [(text, index % 2 == 1) for index, text in enumerate(texts) if text]


def cut_around(text: str, words: Sequence[str]) -> Pieces:
    """The text around the first hit of `words`, in pieces. Without a hit: its beginning.

    Case does not matter.
    """
    pattern = re.compile("|".join(re.escape(word) for word in words), re.IGNORECASE)
    first = pattern.search(text)
    middle = first.start() if first else 0
    start = max(0, middle - BEFORE_CHARS)
    end = min(len(text), middle + AFTER_CHARS)
    plain = text[start:end].replace(HIT_BEGINS, "").replace(HIT_ENDS, "")
    marked = pattern.sub(lambda hit: f"{HIT_BEGINS}{hit[0]}{HIT_ENDS}", plain)
    return pieces_of((CUT if start else "") + marked + (CUT if end < len(text) else ""))


def parts_of(query: str) -> list[str]:
    """The words of a query, and its pairs of letters in scripts without spaces.

    Letters without upper case are taken for such a script.
    """
    pairs = (letter + next_letter for letter, next_letter in pairwise(query))
    return [*query.split(), *(pair for pair in pairs if all(map(_is_uncased, pair)))]


def _is_uncased(letter: str) -> bool:
    return not letter.isascii() and not letter.isspace() and letter.lower() == letter.upper()

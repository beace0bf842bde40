"""Snippets: the part of a text that a search shows, with its hits marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from shared.policy.folding import fold
from shared.policy.visible_text import read_visible

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

    Spelling, as `fold` reads it, does not matter.
    """
    pattern = re.compile("|".join(re.escape(fold(word)) for word in words))
    folded, offsets = _fold_letters(text)
    hits = [(offsets[hit.start()], offsets[hit.end()]) for hit in pattern.finditer(folded)]
    middle = hits[0][0] if hits else 0
    start = max(0, middle - BEFORE_CHARS)
    end = min(len(text), middle + AFTER_CHARS)
    pieces: Pieces = [(CUT, False)] if start else []
    reached = start
    for first, last in hits:
        if first < reached or last > end:
            continue
        pieces += [(text[reached:first], False), (text[first:last], True)]
        reached = last
    pieces += [(text[reached:end] + (CUT if end < len(text) else ""), False)]
    return [(piece, is_hit) for piece, is_hit in pieces if piece]


def _fold_letters(text: str) -> tuple[str, list[int]]:
    """The folded text, with the offset in the text of each of its letters, and of its end."""
    visible = read_visible(text)
    forms = [fold(letter) for letter in visible.text]
    starts = zip(visible.starts, forms, strict=True)
    offsets = [start for start, form in starts for _ in form]
    return "".join(forms), [*offsets, len(text)]


def parts_of(query: str) -> list[str]:
    """The words of a query, and its pairs of letters in scripts without spaces.

    Letters without upper case are taken for such a script.
    """
    pairs = (letter + next_letter for letter, next_letter in pairwise(query))
    return [*query.split(), *(pair for pair in pairs if all(map(_is_uncased, pair)))]


def _is_uncased(letter: str) -> bool:
    return not letter.isascii() and not letter.isspace() and letter.lower() == letter.upper()

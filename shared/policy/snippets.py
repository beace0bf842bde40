"""What a search shows of a text: pieces, each with whether it is a hit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

# Around the hits in what Postgres cuts out; no text that is searched keeps them.
HIT_BEGINS, HIT_ENDS = "\x01", "\x02"
BEFORE_CHARS, AFTER_CHARS = 60, 180
CUT = "…"

Pieces = list[tuple[str, bool]]


def pieces_of(marked: str) -> Pieces:
    """`marked` is text with each hit between `HIT_BEGINS` and `HIT_ENDS`."""
    texts = re.split(f"[{HIT_BEGINS}{HIT_ENDS}]", marked)
    return [(text, place % 2 == 1) for place, text in enumerate(texts) if text]


def cut_around(text: str, words: Sequence[str]) -> Pieces:
    """The surroundings of the first place where one of `words` stands, every hit marked.

    Letters count the same in either case. Without a hit it is the text's beginning.
    """
    pattern = re.compile("|".join(re.escape(word) for word in words), re.IGNORECASE)
    first = pattern.search(text)
    middle = first.start() if first else 0
    start = max(0, middle - BEFORE_CHARS)
    end = min(len(text), middle + AFTER_CHARS)
    marked = pattern.sub(lambda hit: f"{HIT_BEGINS}{hit[0]}{HIT_ENDS}", _plain(text[start:end]))
    return pieces_of((CUT if start else "") + marked + (CUT if end < len(text) else ""))


def parts_of(query: str) -> list[str]:
    """Its words, then the pairs of letters by which scripts without spaces are found.

    Those scripts are told by their letters having no upper case.
    """
    pairs = (one + other for one, other in pairwise(query))
    return [*query.split(), *(pair for pair in pairs if all(map(_is_uncased, pair)))]


def _is_uncased(letter: str) -> bool:
    return not letter.isascii() and not letter.isspace() and letter.lower() == letter.upper()


def _plain(text: str) -> str:
    return text.replace(HIT_BEGINS, "").replace(HIT_ENDS, "")

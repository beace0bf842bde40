"""Words of folded texts, so that they can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

# Chinese, Japanese, Thai, Lao, Khmer, Burmese: no spaces between words.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
_WORD = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)|(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<word>(?:(?![{UNSPACED}])[^\W\d_]|[\u0300-\u036f\u0900-\u0dff])+)"
)


class Word(NamedTuple):
    """`text` is folded; `start` is its offset in the folded text."""

    text: str
    start: int
    is_unspaced: bool = False
    is_number: bool = False


def tidy(text: str) -> str:
    """Normalise characters and straighten apostrophes. Case and accents stay."""
    plain = unicodedata.normalize("NFKC", text)
    return plain.replace("’", "'").replace("ʼ", "'").replace("‘", "'")


def read_words(folded: str) -> Iterator[Word]:
    for match in _WORD.finditer(folded):
        yield Word(
            text=match[0],
            start=match.start(),
            is_unspaced=match.lastgroup == "unspaced",
            is_number=match.lastgroup == "number",
        )


def pairs(run: str) -> set[str]:
    """Pairs of neighbouring characters, which stand for words in a text without spaces."""
    return {run[start : start + 2] for start in range(len(run) - 1)} or {run}

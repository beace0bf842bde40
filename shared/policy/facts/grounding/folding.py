"""Folding: words without case and accents, so that they can be compared."""

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
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه",
    }
)  # fmt: skip
# Combining classes of signs that are part of the letter: nukta, voicing mark, virama.
_KEPT_CLASSES = (0, 7, 8, 9)


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


def fold(text: str) -> str:
    """Remove case and accents: `Zürich` and `ZURICH` become `zurich`. All digits become ASCII."""
    if text.isascii():
        return text.lower()
    characters = (
        char
        for char in unicodedata.normalize("NFKD", tidy(text).casefold())
        if unicodedata.combining(char) in _KEPT_CLASSES and unicodedata.category(char) != "Cf"
    )
    return unicodedata.normalize("NFC", "".join(map(_plain_digit, characters))).translate(_LETTERS)


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


def _plain_digit(char: str) -> str:
    number = unicodedata.decimal(char, None)
    return char if number is None else str(number)

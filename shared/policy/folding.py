"""Folding: all spellings of the same letters get one form, when they are stored and when asked for.

Postgres has the same function, `fold` in migrations/schema.sql, with this table in it. A change of
the table needs a migration that makes the function anew and lists the rows to be indexed again, as
0071_folding does. What is not folded: hiragana and katakana, ä and ae, or other transcriptions.
"""

from __future__ import annotations

import re
import unicodedata
from importlib import resources

from shared import languages

#: Signs that are left out, as a pattern that Python and Postgres read alike.
MARKS = (
    r"(?<![\u0418\u0438])\u0306"  # a breve; й is a letter of its own, and not и
    r"|[\u0300-\u0305\u0307-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"  # accents
    r"\u0483-\u0487"  # Church Slavonic
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic
    r"\u0640"  # the line that makes Arabic words longer
    r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # soft hyphens, joiners, directions
    r"\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # variation selectors
)
#: Letters with another form, one by one.
LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h",  # a stroke is not a mark in Unicode
    "ı": "i",  # Turkish, typed on another keyboard
    "ς": "σ",  # at the end of a Greek word
    "ٱ": "ا",  # an alef; those with hamza or madda lose their mark
    "ى": "ي", "ی": "ي",  # without dots, as in Egypt; Persian
    "ة": "ه",  # at the end of an Arabic word, often without dots
    "ک": "ك", "ہ": "ه", "ە": "ه",  # Persian, Urdu, Kurdish
    "‐": "-", "‑": "-", "−": "-", "־": "-",  # hyphens; U+2011 does not break a line
    "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'",  # apostrophes
}  # fmt: skip
#: Letters that are also written as two.
DOUBLED = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
#: The zeros of ten digits in a row: Arabic, Persian, N'Ko, Devanagari, Bengali, Gurmukhi, Gujarati,
#: Odia, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Tibetan, Burmese, Khmer.
ZEROS = "٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០"
_HAN = (resources.files(languages) / "han_forms.txt").read_text("utf-8").replace("\n", "")
#: Traditional Chinese letters and, at the same places, their simplified forms (OpenCC's table).
TRADITIONAL, SIMPLIFIED = _HAN[::2], _HAN[1::2]

_MARKS = re.compile(MARKS)
_DIGITS = {chr(ord(zero) + digit): str(digit) for zero in ZEROS for digit in range(10)}
_HAN_FORMS = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
_FORMS = str.maketrans(LETTERS | DOUBLED | _DIGITS | _HAN_FORMS)


def fold(text: str) -> str:
    """The text in lower case, without accents, in usual letters: `ＺÜＲＩＣＨ` is `zurich`."""
    if text.isascii():
        return text.lower()
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain).lower().translate(_FORMS)


def plain_letters(text: str) -> str:
    """Each letter of a text in NFC folded in its place and case, if its form is one letter.

    Offsets in both texts lead to the same letters: `Élodie` is `Elodie`.
    """
    return text if text.isascii() else "".join(map(_plain_letter, text))


def _plain_letter(letter: str) -> str:
    form = fold(letter)
    if len(form) != 1:
        return letter
    return form.upper() if letter.isupper() else form

"""Reads numbers in digits and numbers in words into one form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from shared.policy.facts.grounding.vocabulary import NUMBERS
from shared.policy.facts.grounding.words import Word

MAX_WORDS = 3  # "twenty and one"
THOUSANDS = re.compile(r"\d{1,3}(?:[.,'\s]\d{3})+$")
MULTIPLIERS = {"k": 1000, "tsd": 1000, "m": 1_000_000, "mio": 1_000_000}
#: Digits in groups are one number: "0170 1234567", "61 000", "4992-1773-5501".
_GROUPED = re.compile(r"\d+(?:(?:[\s/()-]{1,3}|[.,:'])\d+)*")
_DATE = re.compile(r"\d{1,4}([./-] ?)\d{1,2}\1\d{1,4}$")
_TIME = re.compile(r"\d{1,2}:\d{2}$")
_GROUP = re.compile(r"\d{2,}")
_MULTIPLIED = re.compile(r"\d{1,15}(?:\.\d{1,15})?$")  # what stands before "k"
_DIGITS = re.compile(r"\d+")
_BY_SPACE = re.compile(r"\s+")
_MULTIPLIER = re.compile(r"\s?(k|tsd|mio)(?![^\W\d_])")
_PHRASES = frozenset(words for words in NUMBERS if " " in words)
_FIRST_WORDS = frozenset(words.partition(" ")[0] for words in NUMBERS)


def read_numbers(words: Sequence[Word], folded: str) -> set[str]:
    """All numbers of a text, each in all forms that mean it: 3,000 and 3000. Zeros are kept.

    A part of a number is none. Only dates and times have parts: "19:30" gives 19 and 30, too.
    """
    forms = {form for number in list_numbers(folded) for form in number}
    parts = {
        part.lstrip("0") or "0"
        for match in _GROUPED.finditer(folded)
        if _DATE.match(match[0]) or _TIME.match(match[0])
        for part in _DIGITS.findall(match[0])
    }
    return forms | parts | {str(number) for number in _number_words(words)}


def list_numbers(folded: str) -> Iterator[frozenset[str]]:
    """For each number in digits all the forms that mean it."""
    for match in _GROUPED.finditer(folded):
        factor = _MULTIPLIER.match(folded, match.end())
        for numeral in _split_groups(match[0]):
            yield frozenset(_forms(numeral, MULTIPLIERS[factor[1]] if factor else 1))


def _with_point(numeral: str) -> str:
    """3.250,50 and 3,250.50 are 3250.50: what stands before the last sign are thousands."""
    *thousands, last = re.split(r"[.,]", numeral)
    return f"{''.join(thousands)}.{last}" if thousands else numeral


def read_number_word(word: str) -> str:
    """The digits of a number in one word; "" for another word."""
    return str(NUMBERS[word]) if word in NUMBERS else ""


def _split_groups(run: str) -> list[str]:
    """A run of groups is one number, unless a group by itself is too short for that: "2 3"."""
    groups = _BY_SPACE.split(run)
    is_one = all(_GROUP.search(group) for group in groups[1:])
    return [run] if is_one else groups


def _forms(numeral: str, factor: int) -> Iterator[str]:
    digits = "".join(_DIGITS.findall(numeral))
    if _DATE.match(numeral) or _TIME.match(numeral):
        yield from (numeral, digits)
        return
    decimal = _with_point(numeral)
    if THOUSANDS.match(numeral) or not re.search(r"[.,:]", numeral):
        yield digits
    plain = decimal if "." in decimal or not THOUSANDS.match(numeral) else digits
    if factor > 1 and _MULTIPLIED.match(plain):
        yield f"{(Decimal(plain) * factor).normalize():f}"
    yield decimal


def _number_words(words: Sequence[Word]) -> Iterator[int]:
    texts = [word.text for word in words]
    start = 0
    while start < len(texts):
        length, number = _longest(texts, start)
        if number is None:
            yield from read_unspaced(words[start].text if words[start].is_unspaced else "")
        else:
            yield number
            if number >= 100 and start:
                yield NUMBERS.get(texts[start - 1], 1) * number
        start += length


def _longest(texts: Sequence[str], start: int) -> tuple[int, int | None]:
    """The longest number that begins at word `start`: how many words it has, and its value."""
    if texts[start] not in _FIRST_WORDS:
        return 1, None
    for length in range(MAX_WORDS, 0, -1):
        phrase = " ".join(texts[start : start + length])
        if phrase in NUMBERS and (length == 1 or phrase in _PHRASES):
            return length, NUMBERS[phrase]
    return 1, None


def read_unspaced(text: str) -> Iterator[int]:
    """三十四 is 34: a digit before ten, hundred or thousand multiplies it."""
    total = digit = 0
    for char in [*text, ""]:
        number = NUMBERS.get(char)
        if number is None:
            if total or digit:
                yield total + digit
            total = digit = 0
        elif number >= 10:
            total += (digit or 1) * number
            digit = 0
        else:
            digit = number

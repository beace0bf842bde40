"""Reads numbers in digits and numbers in words into one form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shared.policy.facts.grounding.folding import Word
from shared.policy.facts.grounding.vocabulary import NUMBERS

MAX_WORDS = 3  # "twenty and one"
THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+$")
SHORTEST_PART = 4  # digits; a shorter number is not looked for inside longer ones
_DIGITS = re.compile(r"\d+")
_GAPS = re.compile(r"(?<=\d)[\s./()-]{1,3}(?=\d)")
_PHRASES = frozenset(words for words in NUMBERS if " " in words)
_FIRST_WORDS = frozenset(words.partition(" ")[0] for words in NUMBERS)


def read_numbers(words: Sequence[Word], folded: str) -> set[str]:
    """All numbers of a text in digits without leading zeros; also the parts of "19:30"."""
    found = {form for word in words if word.is_number for form in number_forms(word.text)}
    found |= {str(number) for number in _number_words(words)}
    return found | set(_joined_groups(folded))


def number_forms(written: str) -> Iterator[str]:
    """ "3,000" gives 3000; "19:30" gives itself, 19 and 30."""
    if THOUSANDS.match(written):
        yield re.sub(r"[.,]", "", written)
        return
    yield written
    for part in _DIGITS.findall(written):
        yield part.lstrip("0") or "0"


def is_part_of(number: str, folded: str) -> bool:
    """Whether a longer number contains `number`. Telephone numbers are grouped in many ways."""
    digits = _GAPS.sub("", folded)
    return len(number) >= SHORTEST_PART and any(
        number in run and len(run) > len(number) for run in _DIGITS.findall(digits)
    )


def _joined_groups(folded: str) -> Iterator[str]:
    """Numbers written in groups, such as "3 000" and "0170 1234567", each as one number."""
    for run in _DIGITS.findall(_GAPS.sub("", folded)):
        yield run.lstrip("0") or "0"


def _number_words(words: Sequence[Word]) -> Iterator[int]:
    texts = [word.text for word in words]
    start = 0
    while start < len(texts):
        length, number = _longest(texts, start)
        if number is None:
            yield from _unspaced_numbers(words[start])
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


def _unspaced_numbers(word: Word) -> Iterator[int]:
    """三十四 is 34: a digit before ten, hundred or thousand multiplies it."""
    if not word.is_unspaced:
        return
    total = digit = 0
    for char in [*word.text, ""]:
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

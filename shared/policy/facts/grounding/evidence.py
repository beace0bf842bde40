"""Grounding: how much of a value a message says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shared.policy.facts.grounding.dates import Day
from shared.policy.facts.grounding.indexed_text import PREFIX_CHARS, IndexedText
from shared.policy.facts.grounding.likeness import (
    holds_stem,
    is_agglutinated,
    is_inflection,
    likeness,
)
from shared.policy.facts.grounding.numbers import list_numbers
from shared.policy.facts.grounding.vocabulary import CONCEPTS, FILLERS, MONTHS, NUMBERS
from shared.policy.facts.grounding.words import Word, pairs, read_words, tidy
from shared.policy.folding import fold

#: `whole`: all was said. `part`: at least half. `none`: less, or a required word is missing.
SupportLevel = Literal["whole", "part", "none"]

HALF = 0.5
FIRST_YEAR, LAST_YEAR = 1900, 2100
YEAR_DIGITS = 4
_RANGE = re.compile(r"(\d+)\s?-\s?(\d+)")
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A word of a value. `is_required`: a message without this word does not say the value."""

    word: Word
    is_required: bool
    is_name: bool


def measure_support(value: str, text: IndexedText) -> SupportLevel:
    """How much of `value` the `text` says.

    The text must contain every number, date and name, and half of all words. Words such as "the"
    and "likes" do not count, unless the value has no other words.
    """
    dates, rest = _split_dates(value)
    if not all(_has_day(text, day) for day in dates):
        return "none"
    if not all(_has_number(forms, text) for forms in list_numbers(fold(rest))):
        return "none"
    parts = list_parts(rest)
    if not parts:
        return "whole" if dates else "none"
    shares = [_share(part, text) for part in parts]
    if any(part.is_required and share == 0 for part, share in zip(parts, shares, strict=True)):
        return "none"
    total = sum(shares) / len(shares)
    if total == 1:
        return "whole"
    return "part" if total >= HALF else "none"


def list_required(value: str) -> list[str]:
    """The numbers, dates and names of a value, without which a text does not say it."""
    dates = [match[0] for match in _ISO_DATE.finditer(value)]
    _, rest = _split_dates(value)
    words = (part.word.text for part in list_parts(rest) if part.is_required or _is_count(part))
    return [*dates, *words]


def _is_count(part: Part) -> bool:
    return part.word.text in NUMBERS


def list_parts(value: str) -> list[Part]:
    """The words of a value that count.

    A capital does not make the first word required: it may begin a sentence.
    """
    capitals = _capitals(value)
    words = list(read_words(fold(value)))
    telling = [word for word in words if word.text not in FILLERS] or words
    return [
        Part(
            word=word,
            is_required=word.is_number or (word.text in capitals and word is not words[0]),
            is_name=word.text in capitals,
        )
        for word in telling
    ]


def count_overlap(parts: Sequence[Part], forms: frozenset[str]) -> int:
    """How many parts of a value are among the words `forms`."""
    return len([part for part in parts if _is_among(part.word, forms)])


def _is_among(word: Word, forms: frozenset[str]) -> bool:
    return (
        word.text in forms
        or any(likeness(word.text, form, is_name=False) == 1 for form in forms)
        or (word.is_unspaced and any(word.text[:2] in form for form in forms))
    )


def _capitals(value: str) -> frozenset[str]:
    """The folded words with a capital. Empty if the whole value is in capitals."""
    if not any(char.islower() for char in value):
        return frozenset()
    words = tidy(value).split()
    return frozenset(
        word.text
        for each in words
        if any(char.isupper() for char in each)
        for word in read_words(fold(each))
    )


def _share(part: Part, text: IndexedText) -> float:
    """How much of the part the text says, from 0 to 1."""
    word = part.word
    if word.is_number:
        return 1.0  # compared as whole numbers, above
    if word.is_unspaced:
        if CONCEPTS.get(word.text) in text.concepts:
            return 1.0
        word_pairs = pairs(word.text)
        return len(word_pairs & text.pairs) / len(word_pairs)
    if _has_word(word.text, text):
        return 1.0
    if is_agglutinated(word.text) and any(holds_stem(word.text, form) for form in text.forms):
        return 1.0
    alike = text.by_prefix.get(word.text[:PREFIX_CHARS], ())
    if text.is_inflected and any(is_inflection(word.text, form) for form in alike):
        return 1.0
    return max((likeness(word.text, form, part.is_name) for form in alike), default=0.0)


def _has_word(word: str, text: IndexedText) -> bool:
    """Whether the text has the word itself, a synonym, or the same number or month."""
    if word in text.forms or CONCEPTS.get(word, "") in text.concepts:
        return True
    if str(NUMBERS.get(word)) in text.numbers:
        return True
    return word in MONTHS and (MONTHS[word] in text.months or _names_month(word, text))


def _has_number(forms: frozenset[str], text: IndexedText) -> bool:
    """Whether the text has the number in one of its forms, or a year that it tells by words."""
    is_range = any(
        (ends := _RANGE.fullmatch(form)) and {ends[1], ends[2]} <= text.numbers for form in forms
    )
    return (
        is_range
        or not forms.isdisjoint(text.numbers)
        or any(
            _is_year(form) and any(Day(year=int(form)).lies_in(span) for span in text.spans)
            for form in forms
        )
    )


def _is_year(form: str) -> bool:
    return len(form) == YEAR_DIGITS and form.isdecimal() and FIRST_YEAR <= int(form) <= LAST_YEAR


def _names_month(word: str, text: IndexedText) -> bool:
    """Whether the text says the month in digits ("3.5.1990") or as a span such as "last month"."""
    month = MONTHS[word]
    near = (Day(year=text.said_on.year + years, month=month) for years in (-1, 0, 1))
    return str(month) in text.numbers or any(d.lies_in(span) for d in near for span in text.spans)


def _split_dates(value: str) -> tuple[list[Day], str]:
    """The ISO dates of a value, and the rest of it."""
    dates = [
        Day(year=int(year), month=int(month), day=int(day) if day else None)
        for year, month, day in _ISO_DATE.findall(value)
        if 1 <= int(month) <= 12 and int(day or 1) <= 31
    ]
    return dates, _ISO_DATE.sub(" ", value) if dates else value


def _has_day(text: IndexedText, day: Day) -> bool:
    """Whether the text names the day, by month and day or by a word such as "yesterday".

    A date without a year ("on 3 May") may lie in the message's year or in one next to it.
    """
    has_month = day.month in text.months or str(day.month) in text.numbers
    has_day = day.day is None or str(day.day) in text.numbers
    has_year = str(day.year) in text.numbers or abs(day.year - text.said_on.year) <= 1
    if has_month and has_day and has_year:
        return True
    return any(day.lies_in(span) for span in text.spans)

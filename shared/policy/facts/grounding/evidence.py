"""How much of a value stands in a message."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal

from shared.policy.facts.grounding.dates import Day, Span, spans_of
from shared.policy.facts.grounding.folding import Word, fold, pairs, read_words, tidy
from shared.policy.facts.grounding.numbers import is_part_of, number_forms, read_numbers
from shared.policy.facts.grounding.vocabulary import CONCEPTS, FILLERS, MONTHS, NUMBERS

#: `whole`: all of it was said. `part`: half of it and more. `none`: nobody said it.
Backing = Literal["whole", "part", "none"]

HALF = 0.5
NEAR = 0.5  # what a word counts that differs in more than its ending
# How much of two words may differ for them to be one: letters at their ends.
LONGEST_ENDING = 4
SHORT_ENDING = 2  # of words with no more letters than `SHORT`
SHORT = 3
STEM = 0.6  # of the longer word
COMPOUND = 5  # letters that a compound begins with: "Software" in "Softwareentwickler"
NAME_ENDINGS = ("s", "n", "en", "es", "ns")
ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
FIRST_YEAR, LAST_YEAR = 1900, 2100
CURRENCY = re.compile(r"[$€£¥₹₽]")


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing that a message must hold. `must`: without it the value was not said at all."""

    word: Word
    must: bool
    is_name: bool


@dataclass(frozen=True)
class Text:
    """What a message says, indexed once. `said` is its day, for "yesterday"."""

    content: str
    said: date
    folded: str = field(init=False)
    words: tuple[Word, ...] = field(init=False)

    def __post_init__(self) -> None:
        folded = fold(self.content)
        object.__setattr__(self, "folded", folded)
        object.__setattr__(self, "words", tuple(read_words(folded)))

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(word.text for word in self.words)

    @cached_property
    def numbers(self) -> set[str]:
        return read_numbers(self.words, self.folded)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Of words, and of phrases and signs wherever they stand."""
        signs = CURRENCY.findall(self.folded)
        loose = {
            name
            for phrase, name in CONCEPTS.items()
            if (" " in phrase or not phrase.isascii()) and phrase in self.folded
        }
        return frozenset(CONCEPTS[w] for w in [*self.forms, *signs] if w in CONCEPTS) | loose

    @cached_property
    def pairs(self) -> frozenset[str]:
        return frozenset(
            pair
            for word in self.words
            if word.is_unspaced
            for pair in (*pairs(word.text), *word.text)
        )

    @cached_property
    def by_beginning(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for form in self.forms:
            found[form[:3]].append(form)
        return found

    @cached_property
    def months(self) -> set[int]:
        return {MONTHS[form] for form in self.forms if form in MONTHS}

    @cached_property
    def spans(self) -> list[Span]:
        return spans_of(self.forms, self.folded, self.numbers, self.said)


def back(value: str, text: Text) -> Backing:
    """Whether `text` says `value`.

    Every number, date and name must be there, and half of the other words; all of them make it
    whole. Words such as "the" and "likes" need not be, unless the value has no others.
    """
    dates, rest = _split_dates(value)
    if not all(_has_day(text, day) for day in dates):
        return "none"
    parts = list_parts(rest)
    if not parts:
        return "whole" if dates else "none"
    shares = [_share(part.word, text, part.is_name) for part in parts]
    if any(part.must and share == 0 for part, share in zip(parts, shares, strict=True)):
        return "none"
    total = sum(shares) / len(shares)
    if total == 1:
        return "whole"
    return "part" if total >= HALF else "none"


def list_parts(value: str) -> list[Part]:
    """The words of a value that count. The first may have its capital for being the first."""
    capitals = _capitals(value)
    words = list(read_words(fold(value)))
    telling = [word for word in words if word.text not in FILLERS] or words
    return [
        Part(
            word=word,
            must=word.is_number or (word.text in capitals and word is not words[0]),
            is_name=word.text in capitals,
        )
        for word in telling
    ]


def _capitals(value: str) -> frozenset[str]:
    """Folded words that are written with a capital, where the value has small letters, too."""
    if not any(char.islower() for char in value):
        return frozenset()
    written = tidy(value).split()
    return frozenset(
        word.text
        for each in written
        if any(char.isupper() for char in each)
        for word in read_words(fold(each))
    )


def _share(word: Word, text: Text, is_name: bool) -> float:
    if word.is_number:
        return float(_has_number(word.text, text))
    if word.is_unspaced:
        own = pairs(word.text)
        held = CONCEPTS.get(word.text) in text.concepts
        return 1.0 if held else len(own & text.pairs) / len(own)
    if word.text in text.forms or CONCEPTS.get(word.text, "") in text.concepts:
        return 1.0
    if str(NUMBERS.get(word.text)) in text.numbers:
        return 1.0
    if word.text in MONTHS and (MONTHS[word.text] in text.months or _names_month(word.text, text)):
        return 1.0
    likeness = [
        _alike(word.text, form, is_name) for form in text.by_beginning.get(word.text[:3], ())
    ]
    return max(likeness, default=0.0)


def _alike(one: str, other: str, is_name: bool) -> float:
    """1 for two endings of one word, `NEAR` where a name may be another's: Martin, Martina."""
    same = _common(one, other)
    short, long = sorted((one, other), key=len)
    if same == len(short):
        ending = long[same:]
        if is_name and one.isascii():
            return 1.0 if ending in NAME_ENDINGS else NEAR if len(ending) <= LONGEST_ENDING else 0.0
        is_ending = len(ending) <= (LONGEST_ENDING if same > SHORT else SHORT_ENDING)
        begins_compound = short is one and same >= COMPOUND
        return 1.0 if is_ending or begins_compound else 0.0
    if same <= SHORT or len(long) - same > LONGEST_ENDING or same < STEM * len(long):
        return 0.0
    return NEAR if is_name and one.isascii() else 1.0


def _common(one: str, other: str) -> int:
    place = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        place += 1
    return place


def _has_number(written: str, text: Text) -> bool:
    forms = list(number_forms(written))
    if forms[0] in text.numbers or all(form in text.numbers for form in forms[1:] or forms):
        return True
    if any(is_part_of(form, text.folded) for form in forms[:1]):
        return True
    return _is_year(forms[0]) and any(Day(year=int(forms[0])).lies_in(span) for span in text.spans)


def _is_year(form: str) -> bool:
    return form.isdigit() and FIRST_YEAR <= int(form) <= LAST_YEAR


def _names_month(word: str, text: Text) -> bool:
    """In digits ("3.5.1990"), or by the time of the message ("last month")."""
    month = MONTHS[word]
    near = (Day(year=text.said.year + years, month=month) for years in (-1, 0, 1))
    return str(month) in text.numbers or any(d.lies_in(span) for d in near for span in text.spans)


def _split_dates(value: str) -> tuple[list[Day], str]:
    found = [
        Day(year=int(year), month=int(month), day=int(day) if day else None)
        for year, month, day in ISO.findall(value)
        if 1 <= int(month) <= 12 and int(day or 1) <= 31
    ]
    return found, ISO.sub(" ", value) if found else value


def _has_day(text: Text, day: Day) -> bool:
    """Named as it is, or what one of the message's time words means on its day.

    The year of "on 3 May" is the message's or the one beside.
    """
    has_month = day.month in text.months or str(day.month) in text.numbers
    has_day = day.day is None or str(day.day) in text.numbers
    has_year = str(day.year) in text.numbers or abs(day.year - text.said.year) <= 1
    if has_month and has_day and has_year:
        return True
    return any(day.lies_in(span) for span in text.spans)


def overlap(parts: Sequence[Part], forms: frozenset[str]) -> int:
    """How many parts of a value stand among the words `forms`, for choosing a clause."""
    return sum(
        part.word.text in forms
        or any(_alike(part.word.text, form, False) == 1 for form in forms)
        or (part.word.is_unspaced and any(part.word.text[:2] in form for form in forms))
        for part in parts
    )

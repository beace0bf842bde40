"""The days that "yesterday", "on Friday" or "two years ago" may mean in a message."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from shared.policy.facts.grounding.vocabulary import DAYS, MONTH_UNITS, WEEKDAYS, WEEKS, YEARS

NEAR_DAYS = 13  # "on Friday" may mean any Friday at most so many days away
WEEK, MONTH = 7, 31  # days
FARTHEST_YEARS = 120

Span = tuple[date, date]


@dataclass(frozen=True, kw_only=True)
class Day:
    """A date in a value; `month` or `day` is None where the value does not say."""

    year: int
    month: int | None = None
    day: int | None = None

    def lies_in(self, span: Span) -> bool:
        """Whether the span contains a day that this date may mean."""
        first = _day(self.year, self.month or 1, self.day or 1)
        if first is None:
            return False
        return first <= span[1] and self._last() >= span[0]

    def _last(self) -> date:
        if self.day and self.month:
            return _day(self.year, self.month, self.day) or date.max
        if self.month:
            return date(self.year + self.month // 12, self.month % 12 + 1, 1) - timedelta(1)
        return date(self.year, 12, 31)


def spans_of(
    words: Collection[str], text: str, numbers: Collection[str], said_on: date
) -> list[Span]:
    """The days that a message names by `words`, `text` (both folded) and `numbers`."""
    spans = [
        _span(said_on, days, days)
        for phrase, days in DAYS.items()
        if _contains(text, words, phrase)
    ]
    spans += [_span(said_on, days, days) for days in _weekdays(words, said_on)]
    counts = {0, 1} | {int(number) for number in numbers if number.isdigit() and len(number) <= 3}
    for count in counts:
        spans += _around(said_on, words, count)
    return spans


def _around(said_on: date, words: Collection[str], count: int) -> Iterator[Span]:
    """The days `count` weeks or months before and after, give or take one; years are exact."""
    for units, length in ((WEEKS, WEEK), (MONTH_UNITS, MONTH)):
        if not units.isdisjoint(words):
            yield _span(said_on, -(count + 1) * length, -(count - 1) * length)
            yield _span(said_on, (count - 1) * length, (count + 1) * length)
    if not YEARS.isdisjoint(words) and count <= FARTHEST_YEARS:
        for year in (said_on.year - count, said_on.year + count):
            yield date(year, 1, 1), date(year, 12, 31)


def _weekdays(words: Collection[str], said_on: date) -> list[int]:
    weekdays = {WEEKDAYS[word] for word in words if word in WEEKDAYS}
    return [
        days
        for days in range(-NEAR_DAYS, NEAR_DAYS + 1)
        if (said_on + timedelta(days)).weekday() in weekdays
    ]


def _span(said_on: date, first: int, last: int) -> Span:
    return said_on + timedelta(first), said_on + timedelta(last)


def _contains(text: str, words: Collection[str], phrase: str) -> bool:
    """Phrases and words outside ASCII may be anywhere in the text; other words must be whole."""
    return phrase in words or ((" " in phrase or not phrase.isascii()) and phrase in text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

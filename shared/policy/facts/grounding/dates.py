"""The days that a message may mean with "yesterday", "on Friday" or "two years ago"."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from shared.policy.facts.grounding.vocabulary import DAYS, MONTH_UNITS, WEEKDAYS, WEEKS, YEARS

NEAR_DAYS = 13  # "on Friday" is the last or the next one, or that of the week beside
WEEK, MONTH, YEAR = 7, 31, 366
FARTHEST_YEARS = 120

Span = tuple[date, date]


@dataclass(frozen=True, kw_only=True)
class Day:
    """A date in a value; month or day is None where the value does not name it."""

    year: int
    month: int | None = None
    day: int | None = None

    def lies_in(self, span: Span) -> bool:
        """Some day that this may be is in the span."""
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


def spans_of(words: Collection[str], text: str, numbers: Collection[str], said: date) -> list[Span]:
    """`words` and `text` are the message's, folded; `numbers` those that stand in it."""
    found = [
        _span(said, days, days) for phrase, days in DAYS.items() if _holds(text, words, phrase)
    ]
    found += [_span(said, days, days) for days in _weekdays(words, said)]
    counts = {0, 1} | {int(number) for number in numbers if number.isdigit() and len(number) <= 3}
    for count in counts:
        found += _around(said, words, count)
    return found


def _around(said: date, words: Collection[str], count: int) -> Iterator[Span]:
    """ "Two weeks ago" and "in two weeks", as exact as a week."""
    for units, length in ((WEEKS, WEEK), (MONTH_UNITS, MONTH)):
        if not units.isdisjoint(words):
            yield _span(said, -(count + 1) * length, -(count - 1) * length)
            yield _span(said, (count - 1) * length, (count + 1) * length)
    if not YEARS.isdisjoint(words) and count <= FARTHEST_YEARS:
        for year in (said.year - count, said.year + count):
            yield date(year, 1, 1), date(year, 12, 31)


def _weekdays(words: Collection[str], said: date) -> list[int]:
    named = {WEEKDAYS[word] for word in words if word in WEEKDAYS}
    return [
        days
        for days in range(-NEAR_DAYS, NEAR_DAYS + 1)
        if (said + timedelta(days)).weekday() in named
    ]


def _span(said: date, first: int, last: int) -> Span:
    return said + timedelta(first), said + timedelta(last)


def _holds(text: str, words: Collection[str], phrase: str) -> bool:
    """Several words, or a script without spaces, are looked for in the text."""
    return phrase in words or ((" " in phrase or not phrase.isascii()) and phrase in text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

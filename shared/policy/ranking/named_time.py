"""A time that a question names."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

WEEK_DAYS = 7
NEXT_DAY = 0.5  # people tell an event on its day or on the next day
DAY_BEFORE = 0.1


@dataclass(frozen=True, kw_only=True)
class NamedTime:
    """A time that a question names: either months, year and day of the month, or a span of days."""

    #: 1 to 12. Empty: any month.
    months: frozenset[int] = frozenset()
    #: None: any year.
    year: int | None = None
    #: Of the month. None: any day.
    day: int | None = None
    #: The span's first and last day, both included. If they are set, the other fields are not.
    first: date | None = None
    last: date | None = None

    @property
    def is_within_a_year(self) -> bool:
        """Whether it is more than a bare year."""
        return bool(self.months or self.first)

    def matches_month(self, day: date) -> bool:
        """Whether `day` lies in the named month, year or span."""
        if self.first and self.last:
            return self.first <= day <= self.last
        return (not self.months or day.month in self.months) and self.year in (None, day.year)

    def day_share(self, day: date) -> float:
        """How well `day` fits the named day, 0 to 1: less on the days beside it.

        0 for a time that is no day and for a span of more than a week.
        """
        if self.first and self.last:
            is_short = (self.last - self.first).days <= WEEK_DAYS
            return float(is_short and self.matches_month(day))
        shares = (
            _share((day - candidate).days) for candidate in self.days(day.year - 1, day.year + 1)
        )
        return max(shares, default=0.0)

    def days(self, first_year: int, last_year: int) -> list[date]:
        """The days that may be meant, of these years. Empty: the time is no day."""
        if self.day is None:
            return []
        years = range(first_year, last_year + 1) if self.year is None else [self.year]
        candidates = (
            _day(year, month, self.day) for year in years for month in sorted(self.months)
        )
        return [day for day in candidates if day is not None]

    def spans(self, today: date, years: int) -> list[tuple[date, date]]:
        """The days that are meant, as spans of at most a week, in the last `years`."""
        if self.first and self.last:
            is_short = (self.last - self.first).days <= WEEK_DAYS
            return [(self.first, self.last)] if is_short else []
        return [(day, day) for day in self.days(today.year - years, today.year) if day <= today]

    def months_around(self, today: date, years: int) -> list[tuple[date, date]]:
        """What `matches_month`, newest first: months of the last `years`, a year, or the span."""
        if self.first and self.last:
            return [(self.first, self.last)]
        if not self.months:
            return [] if self.year is None else _span(self.year, 1, 12)
        last_years = range(today.year, today.year - years - 1, -1)
        months = [
            span
            for year in (last_years if self.year is None else [self.year])
            for month in sorted(self.months, reverse=True)
            for span in _span(year, month, month)
        ]
        return [(first, last) for first, last in months if first <= today]


def _span(year: int, first_month: int, last_month: int) -> list[tuple[date, date]]:
    """From the first to the last day of these months. Empty: there is no such time."""
    first, last = _day(year, first_month, 1), _day(year, last_month, 1)
    if first is None or last is None:
        return []
    return [(first, last.replace(day=monthrange(year, last_month)[1]))]


def day_of(today: date, days_before: int) -> NamedTime:
    day = today - timedelta(days_before)
    return NamedTime(first=day, last=day)


def _share(days_later: int) -> float:
    return {0: 1.0, 1: NEXT_DAY, -1: DAY_BEFORE}.get(days_later, 0.0)


def _day(year: int, month: int, day: int) -> date | None:
    """None: there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None

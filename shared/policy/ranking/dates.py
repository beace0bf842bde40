"""Read the times that a question names: "in May", "on 7 June 2023", "last spring", "two weeks ago".

Here they are read in English, in `world_dates` in all other languages. dateparser is not used. It
reads "May" as one day of one year, although any May is meant, and always reads "march", "sat" and
"sun" as dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from shared.policy.ranking.named_time import NamedTime
from shared.policy.ranking.world_dates import read_world_dates

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
SHORT = {month[:3]: number for number, month in enumerate(MONTHS, 1) if month != "may"}
SEASONS = {
    "spring": frozenset({3, 4, 5}),
    "summer": frozenset({6, 7, 8}),
    "autumn": frozenset({9, 10, 11}),
    "fall": frozenset({9, 10, 11}),
    "winter": frozenset({12, 1, 2}),
}
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
DAYS_IN = {"day": 1, "week": 7, "month": 30, "year": 365}
MOST_DATES = 20  # each date is compared with every candidate; a text with more is no question

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|{'|'.join(SHORT)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>(?:19|20)\d\d))?"
# "May" and "march" are also plain words. They are dates only with a day, a year or a cue word.
_CUE = (
    r"(?P<cue>\b(?:in|of|on|since|until|till|during|by|before|after|around|early|mid|late|"
    r"last|this|next)\s+)?"
)
DATED = (
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\b{_YEAR}"),
    re.compile(rf"{_CUE}\b{_MONTH}\s+{_DAY}\b{_YEAR}"),
    re.compile(rf"{_CUE}\b{_MONTH}\b{_YEAR}"),
)
ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
SEASON = re.compile(rf"(?P<last>\blast\s+)?\b(?P<season>{'|'.join(SEASONS)})\b(?:\s+of)?{_YEAR}")
YEAR_ALONE = re.compile(r"\b(?P<year>(?:19|20)\d\d)\b")
AGO = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(NUMBERS)})\s+(?P<unit>day|week|month|year)s?\s+ago\b"
)
ALSO_PLAIN_WORDS = ("may", "march", "mar", "sep", "dec", "jan")


def read_dates(text: str, today: date) -> tuple[NamedTime, ...]:
    """The times that `text` names, seen from `today`, at most about `MOST_DATES`."""
    elsewhere, text = read_world_dates(text, today)
    times = list(elsewhere[:MOST_DATES])
    for pattern, read in READERS:
        for match in pattern.finditer(text):
            time = read(match, today)
            if time is not None and len(times) < MOST_DATES:
                times.append(time)
                # Blank the match, so that no shorter pattern reads a part of it again.
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return tuple(times) + _relative(text, today)


def _read_iso(match: re.Match[str], _today: date) -> NamedTime:
    day = match["day"]
    return NamedTime(
        year=int(match["year"]),
        months=frozenset({int(match["month"])}),
        day=int(day) if day else None,
    )


def _read_month(match: re.Match[str], today: date) -> NamedTime | None:
    parts = match.groupdict()
    name, cue, day, year = (parts.get(key) for key in ("month", "cue", "day", "year"))
    assert name is not None  # noqa: S101 - every pattern has it
    if name in ALSO_PLAIN_WORDS and not (cue or day or year):
        return None
    month = SHORT.get(name[:3], 5)
    months = frozenset({month})
    if cue and cue.strip() == "last" and not year:
        return NamedTime(months=months, year=_last_year_with(month, today))
    return NamedTime(months=months, year=int(year) if year else None, day=int(day) if day else None)


def _read_season(match: re.Match[str], today: date) -> NamedTime:
    months = SEASONS[match["season"]]
    year = int(match["year"]) if match["year"] else None
    if match["last"] and year is None and 1 not in months:  # a winter spans two years
        year = _last_year_with(max(months), today)
    return NamedTime(months=months, year=year)


def _read_year(match: re.Match[str], _today: date) -> NamedTime:
    return NamedTime(year=int(match["year"]))


def _last_year_with(month: int, today: date) -> int:
    """The year of the last such month before the current month."""
    return today.year if month < today.month else today.year - 1


def _relative(text: str, today: date) -> tuple[NamedTime, ...]:
    times = [_ago(match, today) for match in AGO.finditer(text)]
    spans = {
        "yesterday": (today - timedelta(1), today - timedelta(1)),
        "today": (today, today),
        "last week": (today - timedelta(14), today - timedelta(7)),
        "this week": (today - timedelta(7), today),
        "last month": _month_before(today),
        "last year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
    }
    for words, (first, last) in spans.items():
        if re.search(rf"\b{words}\b", text):
            times.append(NamedTime(first=first, last=last))
    return tuple(times)


def _month_before(today: date) -> tuple[date, date]:
    last = today.replace(day=1) - timedelta(1)
    return last.replace(day=1), last


def _ago(match: re.Match[str], today: date) -> NamedTime:
    """The span that a time such as "two weeks ago" may mean. It is as long as the unit."""
    count = NUMBERS.get(match["count"]) or int(match["count"])
    days = DAYS_IN[match["unit"]]
    middle = today - timedelta(min(count * days, 365 * 100))
    slack = timedelta(days // 2)
    return NamedTime(first=middle - slack, last=middle + slack)


# Longer patterns come first.
READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], NamedTime | None]], ...] = (
    (ISO, _read_iso),
    *((pattern, _read_month) for pattern in DATED),
    (SEASON, _read_season),
    (YEAR_ALONE, _read_year),
)

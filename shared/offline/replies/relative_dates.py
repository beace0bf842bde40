"""Resolve phrases such as "yesterday" against the day on which they were said."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

ASKS_WHEN = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|year))\b", re.IGNORECASE)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SPAN = f"(week|weekend|{'|'.join(f'{day}|{day[:3]}' for day in WEEKDAYS)}|Tues|Thurs)"
COUNTS = r"\d{1,2}|an?|one|two|three|four|five|six|a few|a couple of"
LENGTHS = "days?|weeks?|months?|years?"

Tell = Callable[[re.Match[str], date], str]
PHRASES: tuple[tuple[str, Tell], ...] = (
    ("yesterday|last night", lambda _, day: show_day(day - timedelta(1))),
    ("tomorrow", lambda _, day: show_day(day + timedelta(1))),
    (f"last {SPAN}", lambda match, day: f"the {_day_name(match[1])} before {show_day(day)}"),
    (f"next {SPAN}", lambda match, day: f"the {_day_name(match[1])} after {show_day(day)}"),
    (
        f"((?:{COUNTS}) (?:{LENGTHS})) ago",
        lambda match, day: f"{match[1].lower()} before {show_day(day)}",
    ),
    ("last month", lambda _, day: f"{day.replace(day=1) - timedelta(1):%B %Y}"),
    ("this month", lambda _, day: f"{day:%B %Y}"),
    ("next month", lambda _, day: f"{day.replace(day=28) + timedelta(4):%B %Y}"),
    ("last year", lambda _, day: str(day.year - 1)),
    ("next year", lambda _, day: str(day.year + 1)),
    ("today|tonight|this morning|this afternoon", lambda _, day: show_day(day)),
)


def show_day(day: date) -> str:
    """`7 May 2023`."""
    return f"{day.day} {day:%B %Y}"


def find_when(text: str, day: date) -> str:
    """`yesterday`, said on 8 May 2023 → `7 May 2023`; "" without a phrase that is known."""
    for phrase, tell in PHRASES:
        if match := re.search(rf"\b(?:{phrase})\b", text, re.IGNORECASE):
            return tell(match, day)
    return ""


def _day_name(word: str) -> str:
    """`fri` → `Friday`."""
    return next((day for day in WEEKDAYS if day.startswith(word[:3].capitalize())), word.lower())

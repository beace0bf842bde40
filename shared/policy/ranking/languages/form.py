"""How a language asks about what was said: when, by whom, about what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Wording:
    """One language's words, as patterns of `re` in lower case.

    Patterns are put between word boundaries, unless the language writes no spaces. Names of months
    and days are CLDR's (babel); here is only what CLDR does not have. `WEEKDAY` and `COUNT` stand
    for the names of days and for numbers.
    """

    #: CLDR's locale.
    code: str
    writes_spaces: bool = True
    #: Other forms of the months' names, of January first; several forms with "|" between.
    months: str = ""
    #: The days of a month as words, of the first day first; several forms with "|" between.
    days: str = ""
    #: What stands before a month that has neither day nor year.
    in_month: str = ""
    yesterday: str = ""
    day_before: str = ""
    today: str = ""
    last_week: str = ""
    this_week: str = ""
    last_month: str = ""
    this_month: str = ""
    last_year: str = ""
    last_weekday: str = ""
    #: Other forms of the days' names, of Monday first.
    weekdays: str = ""
    #: "Last Tuesday" is in the last calendar week, not just before today.
    weeks_are_calendar: bool = False
    #: "three weeks ago", with `COUNT` and a unit of `units`; several forms with commas between.
    #: Without `COUNT` it is one, with `TWO` a dual of `two`.
    ago: str = ""
    #: Day, week, month and year.
    units: tuple[str, str, str, str] = ("", "", "", "")
    #: Two days, weeks, months and years in one word each.
    two: tuple[str, str, str, str] = ("", "", "", "")
    #: One, two and so on, of `COUNT`.
    counts: str = ""
    spring: str = ""
    summer: str = ""
    autumn: str = ""
    winter: str = ""
    #: "the first time", "our first conversation".
    first_time: str = ""
    last_time: str = ""
    #: "what did we talk about", which asks for topics.
    topics: str = ""
    #: "in which order", "summarise how", "how many different": it asks about the whole time.
    whole: str = ""
    #: "how long", "how many days": it asks for a length of time.
    how_long: str = ""
    #: "I", "my".
    me: str = ""
    #: "you", "your".
    you: str = ""
    #: "you recommended to me": the assistant said it. Not "what would you recommend".
    you_told: str = ""
    #: "I told you": the user said it.
    i_told: str = ""
    #: How a message begins that holds for good: "always …", "I prefer …".
    standing: str = ""

"""Read times in any language: "am 5. Mai", "4月27号", "в прошлый вторник", "قبل أسبوعين".

Names of months and days are CLDR's, by babel; all other words are in `shared/languages`. dateparser
is not used: it reads a month as one day of one year, plain words as dates, and no time that is
within a sentence of a language written without spaces.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from shared.languages import NAMES, WORDINGS
from shared.languages.form import Wording
from shared.policy.ranking.calendar_names import PLAIN, any_of, list_days, months, split_list
from shared.policy.ranking.named_time import NamedTime, day_of

LONG_NAME = 5  # letters; shorter names of months are other words, too
YEAR = r"(?P<year>(?:19|20)\d\d)"
JOINED = r"(?:\s*(?:\.|º|er|-?го|-?е|de|of|di|do|da|d['’]|من|день|شهر)\s*|\s+)"
HAN_NUMBER = r"[〇零一二三四五六七八九十廿卅]{1,4}"
HAN_DIGITS = {letter: n for n, letter in enumerate("〇一二三四五六七八九")} | {"零": 0}
# Chinese, Japanese and Korean: "2023年4月27日", "四月二十七号", "4월 27일".
NUMBERED = re.compile(
    rf"(?:(?P<year>(?:19|20)\d\d|[〇零一二三四五六七八九]{{4}})\s?[年년]\s?)?"
    rf"(?<![\d个個])(?P<month>\d{{1,2}}|{HAN_NUMBER})\s?[月월](?!曜)(?:份)?"
    rf"(?:\s?(?P<day>\d{{1,2}}|{HAN_NUMBER})\s?[日号號일])?"
)
OF_LAST_MONTH = re.compile(
    rf"(?:上(?:个|個)?月|先月|지난 ?달)(?:的|の)?\s?(?P<day>\d{{1,2}}|{HAN_NUMBER})\s?[日号號일]"
)
DOTTED = re.compile(
    r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>(?:19|20)\d\d))?(?![\d.])"
)
YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})(?!\d)"
)
SLASHED = re.compile(r"(?<![\d/])(?P<one>\d{1,2})/(?P<other>\d{1,2})/(?P<year>(?:19|20)\d\d)(?!\d)")
SEASONS = {"spring": {3, 4, 5}, "summer": {6, 7, 8}, "autumn": {9, 10, 11}, "winter": {12, 1, 2}}
ENGLISH_MONTHS = frozenset(NAMES["en"].months.lower().split("|"))
UNIT_DAYS = (1, 7, 30, 365)

Found = tuple[re.Match[str], list[NamedTime]]


def plain_digits(text: str) -> str:
    """The text in lower case, with all scripts' digits as ASCII ones.

    The Turkish "İ" becomes "i"; `str.lower` would leave a dot of its own behind it.
    """
    text = unicodedata.normalize("NFC", text.replace("İ", "i").lower())
    return "".join(
        str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char
        for char in text
    )


def read_world_dates(text: str, today: date) -> tuple[tuple[NamedTime, ...], str]:
    """The times that `text` names, seen from `today`, and the text with these blanked out."""
    text = plain_digits(text)
    times: list[NamedTime] = []
    for read in (_numbered, _month_names, _relative):
        for match, named_times in read(text, today):
            times += named_times
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return tuple(times), text


def _numbered(text: str, today: date) -> Iterator[Found]:
    for match in OF_LAST_MONTH.finditer(text):
        before = today.replace(day=1) - timedelta(1)
        day = _number(match["day"])
        yield match, [_time(year=before.year, months={before.month}, day=day)]
        return
    for pattern in (YEAR_FIRST, DOTTED, NUMBERED):
        for match in pattern.finditer(text):
            parts = {name: _number(value) for name, value in match.groupdict().items() if value}
            if 1 <= parts["month"] <= 12:
                yield match, [_time(months={parts["month"]}, **_day_and_year(parts))]
                text = text.replace(match[0], " " * len(match[0]))
    for match in SLASHED.finditer(text):
        day, month = int(match["one"]), int(match["other"])
        if day > 12 or month > 12 or day == month:
            day, month = (day, month) if month <= 12 else (month, day)
            yield match, [_time(months={month}, day=day, year=int(match["year"]))]


def _month_names(text: str, _today: date) -> Iterator[Found]:
    """Months by their names: with a day, with a year, or alone."""
    month_starts: set[int] = set()
    for pattern in _month_patterns():
        for match in pattern.finditer(text):
            name = match["month"]
            parts = match.groupdict()
            day = parts.get("day")
            if match.start("month") in month_starts or (
                not day and not _is_month(name, text, match)
            ):
                continue
            month_starts.add(match.start("month"))
            yield (
                match,
                [
                    _time(
                        months=set(months()[name].numbers),
                        day=None if not day else _ordinals().get(day) or int(day),
                        year=int(parts["year"]) if parts.get("year") else None,
                    )
                ],
            )


@functools.cache
def _month_patterns() -> tuple[re.Pattern[str], ...]:
    name = rf"(?<!\w)[وبلفك]?(?P<month>{any_of(months())})(?!\w)"
    day = rf"(?<!\w)(?P<day>\d{{1,2}}|{any_of(_ordinals())})"
    year = rf"(?:,?\s+(?:de |del |do |г\. ?)?{YEAR})?"
    return (
        re.compile(rf"{day}{JOINED}(?:de\s+)?{name}{year}"),
        re.compile(rf"{name}\s+(?P<day>\d{{1,2}})(?![\d:]){year}"),
        re.compile(rf"{name}{year}"),
    )


@functools.cache
def _ordinals() -> dict[str, int]:
    """Days of the month as words."""
    return {
        form: number
        for wording in WORDINGS
        for number, forms in enumerate(split_list(wording.days), 1)
        for form in forms
    }


def _is_month(name: str, text: str, match: re.Match[str]) -> bool:
    """Whether a name without a day means a month, and is no other word.

    False also for an English name, which `dates` reads.
    """
    if name in ENGLISH_MONTHS:
        return False
    if match.groupdict().get("year"):
        return True
    if len(name) >= LONG_NAME and name not in PLAIN:
        return True
    before = text[: match.start()].split()
    return bool(before) and before[-1] in months()[name].cues


def _relative(text: str, today: date) -> Iterator[Found]:
    for wording in WORDINGS:
        for pattern, read in _relative_patterns(wording):
            match = pattern.search(text)
            if match is not None:
                yield match, read(match, today)
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]


@functools.cache
def _relative_patterns(
    wording: Wording,
) -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], list[NamedTime]]], ...]:
    readers: list[tuple[str, Callable[[re.Match[str], date], list[NamedTime]]]] = [
        (wording.day_before, lambda _, today: [day_of(today, 2)]),
        (_with_weekday(wording), functools.partial(_read_weekday, wording)),
        *((_with_count(form, wording), _reader_of_ago(wording)) for form in wording.ago.split(",")),
    ]
    if wording.code != "en":
        readers += [
            (wording.yesterday, lambda _, today: [day_of(today, 1)]),
            (wording.today, lambda _, today: [day_of(today, 0)]),
            (wording.last_week, lambda _, today: [_span(today, 14, 1)]),
            (wording.this_week, lambda _, today: [_span(today, 7, 0)]),
            (wording.last_month, lambda _, today: [_month_of(today.replace(day=1) - timedelta(1))]),
            (wording.this_month, lambda _, today: [_month_of(today)]),
            (wording.last_year, lambda _, today: [NamedTime(year=today.year - 1)]),
        ]
        readers += [
            (getattr(wording, season), _reader_of_season(numbers))
            for season, numbers in SEASONS.items()
        ]
    return tuple((bounded(form, wording), read) for form, read in readers if form)


def bounded(form: str, wording: Wording) -> re.Pattern[str]:
    """The pattern `form`, of whole words where the language has spaces."""
    return re.compile(rf"(?<!\w)(?:{form})(?!\w)" if wording.writes_spaces else form)


def _with_weekday(wording: Wording) -> str:
    """Each day's name once, though the pattern may have it in several places."""
    names = any_of(list_days(wording))
    forms = iter(range(9))
    return re.sub("WEEKDAY", lambda _: f"(?P<day{next(forms)}>{names})", wording.last_weekday)


def _read_weekday(wording: Wording, match: re.Match[str], today: date) -> list[NamedTime]:
    """The last such day before today; the one before it may be meant, too."""
    name = next(value for value in match.groupdict().values() if value)
    weekday = list_days(wording)[name]
    if wording.weeks_are_calendar:
        return [day_of(today, today.weekday() - weekday + 7)]
    days = (today.weekday() - weekday - 1) % 7 + 1
    return [day_of(today, days), day_of(today, days + 7)]


def _with_count(form: str, wording: Wording) -> str:
    count = rf"(?P<count>\d{{1,3}}|{any_of(_counts(wording))})"
    unit, two = (
        "|".join(f"(?P<{name}{n}>{unit})" for n, unit in enumerate(units))
        for name, units in (("unit", wording.units), ("two", wording.two))
    )
    return form.replace("COUNT", count).replace("UNIT", f"(?:{unit})").replace("TWO", f"(?:{two})")


def _counts(wording: Wording) -> dict[str, int]:
    listed = split_list(wording.counts.replace("?", ""))
    return {form: number for number, forms in enumerate(listed, 1) for form in forms}


def _reader_of_ago(wording: Wording) -> Callable[[re.Match[str], date], list[NamedTime]]:
    def read(match: re.Match[str], today: date) -> list[NamedTime]:
        """A span as long as the unit, because "two weeks ago" is not exact."""
        groups = {name: text for name, text in match.groupdict().items() if text}
        counted = groups.get("count", "1")
        number = int(counted) if counted.isdecimal() else _counts(wording)[counted]
        if any(f"two{n}" in groups for n in range(len(UNIT_DAYS))):
            number = 2
        unit = next(days for n, days in enumerate(UNIT_DAYS) if {f"unit{n}", f"two{n}"} & {*groups})
        middle = today - timedelta(min(number * unit, 365 * 100))
        return [NamedTime(first=middle - timedelta(unit // 2), last=middle + timedelta(unit // 2))]

    return read


def _reader_of_season(
    numbers: set[int],
) -> Callable[[re.Match[str], date], list[NamedTime]]:
    return lambda _match, _today: [NamedTime(months=frozenset(numbers))]


def _span(today: date, first: int, last: int) -> NamedTime:
    """From `first` to `last` days before today."""
    return NamedTime(first=today - timedelta(first), last=today - timedelta(last))


def _month_of(day: date) -> NamedTime:
    return NamedTime(months=frozenset({day.month}), year=day.year)


def _time(*, months: set[int], day: int | None = None, year: int | None = None) -> NamedTime:
    return NamedTime(months=frozenset(months), day=day, year=year)


def _day_and_year(parts: dict[str, int]) -> dict[str, int | None]:
    return {"day": parts.get("day"), "year": parts.get("year")}


def _number(text: str) -> int:
    """A number in digits or in Chinese ones: 27, 二十七, 廿七, 二〇二三."""
    if text.isdecimal():
        return int(text)
    if len(text) == 4:
        return int("".join(str(HAN_DIGITS.get(digit, 0)) for digit in text))
    text = text.replace("廿", "二十").replace("卅", "三十")
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return HAN_DIGITS.get(text, 0)
    return 10 * HAN_DIGITS.get(tens or "一", 1) + HAN_DIGITS.get(ones or "〇", 0)

"""CLDR's names of months and days, as one pattern for all languages."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.languages import NAMES, WORDINGS
from shared.languages.form import Wording

#: Languages without a table of wording. English names are read by `dates`.
OTHERS = (
    "sv", "da", "nb", "fi", "cs", "sk", "sl", "hr", "sr", "bg", "uk", "ro", "hu", "el", "he", "fa",
    "th", "vi", "id", "ms", "ca", "eu", "lt", "lv", "et", "hy", "bn", "ur", "ta", "sw", "af", "is",
)  # fmt: skip
SHORTEST = 3  # letters of a name in Latin letters; others may have one less
LATIN_ENDS = "\u0250"
PLAIN = frozenset({"mars", "mart", "marts", "set", "listopad", "mei", "mai"})  # other words, too
HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, kw_only=True)
class Month:
    #: 1 to 12. A name may mean different months in different languages.
    numbers: frozenset[int]
    #: Words of these languages before the name show that it is a month.
    cues: frozenset[str]


@functools.cache
def months() -> Mapping[str, Month]:
    """Every month's name in lower case, but for English and for names made of numbers."""
    numbers: dict[str, set[int]] = {}
    cues: dict[str, set[str]] = {}
    for code, wording in _tables():
        for number, name in _list_months(code, wording):
            numbers.setdefault(name, set()).add(number)
            before = wording.in_month.split("|") if wording else ()
            cues.setdefault(name, set()).update(before)
    return {
        name: Month(numbers=frozenset(month_numbers), cues=frozenset(cues[name]))
        for name, month_numbers in numbers.items()
        if len(name) >= SHORTEST - (name[0] > LATIN_ENDS) and not re.search(r"\d", name)
    }


def list_days(wording: Wording) -> dict[str, int]:
    """The names of the days of the week in this language, with Monday as 0."""
    names = NAMES[wording.code].days.split("|")
    days = {name.lower(): number for number, name in enumerate(names)}
    for number, forms in enumerate(split_list(wording.weekdays)):
        days |= dict.fromkeys(forms, number)
    return days


def split_list(listed: str) -> list[list[str]]:
    """Items between commas, each with its forms between bars."""
    return [item.strip().split("|") for item in listed.split(",")] if listed else []


def any_of(names: Iterable[str]) -> str:
    """A pattern for any of the names, longer ones first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)"


def _tables() -> Iterable[tuple[str, Wording | None]]:
    yield from ((wording.code, wording) for wording in WORDINGS if wording.code != "en")
    yield from ((code, None) for code in OTHERS)


def _list_months(code: str, wording: Wording | None) -> Iterable[tuple[int, str]]:
    names = NAMES[code]
    pairs = zip(names.months.split("|"), names.months_alone.split("|"), strict=True)
    for number, (name, alone) in enumerate(pairs, 1):
        yield number, name.lower()
        # Where CLDR has no stand-alone form, babel gave another language's.
        if bool(HAN.search(alone)) == bool(HAN.search(name)):
            yield number, alone.lower()
    for number, more in enumerate(split_list(wording.months if wording else ""), 1):
        yield from ((number, name) for name in more)

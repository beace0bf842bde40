"""The columns of a language's file.

Most are words and phrases with commas between. A star stands for any ending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def numbers_up_to_99(
    units: str = "", tens: str = "", joined: str = "", more: Mapping[str, int] | None = None
) -> dict[str, int]:
    """`units` are the words for 1 to 19, `tens` for 20 to 90; `joined` is "{tens} {unit}"."""
    small = units.split()
    numbers = {word: number for number, word in enumerate(small, start=1)}
    for ten, word in enumerate(tens.split(), start=2):
        numbers[word] = 10 * ten
        for number, unit in enumerate(small[:9], start=1):
            numbers[joined.format(tens=word, unit=unit)] = 10 * ten + number
    return numbers | dict(more or {})


@dataclass(frozen=True, kw_only=True, eq=False)
class Language:
    """The words of one language, for facts, wishes, secrets and the built-in helper."""

    code: str
    name: str
    #: Words are written with spaces between them.
    spaced: bool = True
    #: Letters that are written to the beginning of the next word: Arabic "and".
    prefixes: str = ""
    #: A negation may follow what it denies: "speicher das nicht".
    denies_after: bool = False
    #: Names have no cases.
    keeps_names: bool = False

    #: Frequent words. A value may add or drop them.
    common: str = ""
    #: "I", "my", and verb forms that only go with them.
    first_person: str = ""
    possessive: str = ""
    #: Words that a value may have beyond the message: "works as", "years old".
    frames: str = ""
    #: "name", "called".
    name_nouns: str = ""
    #: "also": what held before holds, too.
    also: str = ""
    #: Verbs that name nothing: "live", "said".
    verbs: str = ""
    #: Relation, such as "sister" -> words for it.
    people: Mapping[str, str] = field(default_factory=dict)
    #: Single words of greetings and thanks, with spaces between.
    small_talk: str = ""
    #: "who", "how". Empty where a verb alone may say "I".
    questions: str = ""
    #: "assistant", "always", "reply": a fact of a file with these would steer replies.
    steering: str = ""

    numbers: Mapping[str, int] = field(default_factory=dict)
    #: Phrase -> days from today.
    days: Mapping[str, int] = field(default_factory=dict)
    #: Words for a week, a month and a year.
    weeks: str = ""
    month_units: str = ""
    years: str = ""

    #: "forget", of what is the user's own.
    forgets: str = ""
    #: "delete", "take out": of what stands in `memory`.
    removes: str = ""
    #: "save", "note": with a negation, what is said is not to be remembered.
    remembers: str = ""
    #: "your notes", "I told you".
    memory: str = ""
    #: "everything about", after a verb that forgets.
    everything: str = ""
    #: "off the record".
    unwanted: str = ""
    negations: str = ""
    #: What looks like a negation and is none: "don't forget".
    no_negations: str = ""
    #: "could you": polite wishes that look like another subject.
    polite: str = ""
    #: Who remembers or forgets where it is no wish: "I forget things".
    subjects: str = ""

    #: "password": a label of a secret by itself; with # only of numbers: "the key#".
    labels: str = ""
    #: "code", "key": a label beside a word of `places`.
    codes: str = ""
    places: str = ""

    #: "is", between a secret's label and the secret.
    links: str = ""

    #: Key -> the user's plain sentences about it, with {} for the value.
    plain: Mapping[str, str] = field(default_factory=dict)
    #: Key -> words for it: "where I live" asks for the home.
    slots: Mapping[str, str] = field(default_factory=dict)
    #: How questions about former talks are asked. None: they are not read in it.
    recall: Wording | None = None


def split_list(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",") if word.strip()]


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

"""Days between dates in quotes, counted by code: small models cannot.

They are told for a question that asks how long something took, or how far two days are apart.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, tzinfo

from shared.models import Quote
from shared.policy.facts.grounding.words import read_words
from shared.policy.local_time import to_local
from shared.policy.ranking.dates import read_dates
from shared.policy.ranking.named_time import NamedTime

MOST_DAYS = 3  # of more, a small model takes the wrong ones
BEFORE, AFTER = 100, 60  # characters around a date, in which the question's words count
SAID_SHARE = 0.5  # of the words, for the day of a message that names none
# The ends of clauses. "3. März" and "May 3, 2026" are not two.
ENDS = re.compile(r"(?<=[。！？，、；])|(?<=[!?;:])\s+|(?<=\D\.)\s+|(?<=,)\s+(?!\d)|\n")


def count_days_between(
    quotes: Sequence[Quote], words: Mapping[str, float], asked_at: datetime
) -> list[str]:
    """A line for each two of the days, and one for each of them and today.

    The days are those that the quotes name beside the most `words` of the question, by weight.
    """
    weights: dict[date, float] = {}
    pattern = re.compile("|".join(map(_beginning_of, words)) or r"(?!)")
    for quote in quotes:
        for day, text, share in _list_days(quote, asked_at.tzinfo):
            near = {match[0] for match in pattern.finditer(text.lower())}
            weight = share * sum(words[word] for word in near)
            weights[day] = max(weight, weights.get(day, 0.0))
    days = sorted(sorted(weights, key=lambda day: -weights[day])[:MOST_DAYS])
    return [
        *(
            f"- {_name(day)} to {_name(later)}: {_count(day, later)}"
            for day, later in itertools.combinations(days, 2)
        ),
        *(f"- {_name(day)}: {_from_today(day, asked_at.date())}" for day in days),
    ]


def _beginning_of(word: str) -> str:
    """A pattern for words that begin with the lexeme; where words are not spaced, for all of it."""
    is_unspaced = any(part.is_unspaced for part in read_words(word))
    return re.escape(word) if is_unspaced else rf"(?<!\w){re.escape(word)}"


def _list_days(quote: Quote, zone: tzinfo | None) -> Iterator[tuple[date, str, float]]:
    """Each day that is named, with the text around it, and the share that its words count."""
    said_on, is_named = to_local(quote.said_at, zone).date(), False
    is_read = bool(read_dates(quote.text, said_on))
    starts = [0, *(match.end() for match in ENDS.finditer(quote.text))] if is_read else []
    for start, end in itertools.pairwise([*starts, len(quote.text)]):
        for time in read_dates(quote.text[start:end], said_on):
            day = _find_day(time, said_on)
            if day is not None:
                is_named = True
                yield day, quote.text[max(0, start - BEFORE) : end + AFTER], 1.0
    if not is_named:
        yield said_on, quote.text, SAID_SHARE


def _find_day(time: NamedTime, said_on: date) -> date | None:
    """The one day that is meant: of several years, the nearest. None: it is no single day."""
    if time.first is not None:
        return time.first if time.first == time.last else None
    near = time.days(said_on.year - 1, said_on.year + 1)
    return min(near, key=lambda day: abs(day - said_on), default=None)


def _name(day: date) -> str:
    """The form in which messages and models have it: "March 29, 2024"."""
    return f"{day:%B} {day.day}, {day.year}"


def _from_today(day: date, today: date) -> str:
    if day == today:
        return "today"
    return f"{_count(day, today)} ago" if day < today else f"in {_count(today, day)}"


def _count(day: date, later: date) -> str:
    days = (later - day).days
    return f"{days} {'day' if days == 1 else 'days'}"

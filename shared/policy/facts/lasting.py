"""Reads until which day something holds: "I'm staying at the Ritz until 3 December"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.grounding.vocabulary import DAYS, WEEKDAYS
from shared.policy.facts.values import plain_value
from shared.policy.ranking.dates import read_dates
from shared.policy.ranking.named_time import NamedTime

#: In English, German, French, Spanish, Italian, Portuguese, Dutch, Russian and Arabic.
_UNTIL = re.compile(
    r"(?<!\w)(?:until|till?|bis(?: zum| einschließlich| inklusive)?|jusqu['’](?:au|à|en)"
    r"|hasta(?: el)?|fino (?:al|a)|até(?: a| ao| o)?|tot(?: en met)?|до|حتى)\s+"
)
#: After "until" and before the day.
_LEAD = re.compile(r"(?:the|this|next|coming|and including|nächsten|kommenden|den|le|el|il|o|a)\s+")
#: A full stop after a number does not end a sentence: "bis zum 3. Dezember".
_SENTENCE_END = re.compile(r"(?<=[^\d\s])[.!?…]+(?=\s|$)|[\n;。！？]")
MOST_WORDS = 4  # "3 December 2026"; what comes after that is not the day any more


def read_end(text: str, value: str, said_on: date) -> date | None:
    """The last day on which `value` holds, by a message of the day `said_on`.

    None: the message names none in a sentence that says the value.
    """
    for sentence in _SENTENCE_END.split(text):
        until = _UNTIL.search(sentence.lower())
        if until and plain_value(value) in plain_value(sentence):
            return _read_day(sentence.lower()[until.end() :], said_on)
    return None


def _read_day(text: str, said_on: date) -> date | None:
    words = _LEAD.sub("", text, count=1).split()[:MOST_WORDS]
    for named in read_dates(" ".join(words), said_on):
        if end := _last_day(named, said_on):
            return end
    first = fold(words[0]).strip(",.:!?") if words else ""
    if first in WEEKDAYS:
        days = (WEEKDAYS[first] - said_on.weekday() - 1) % 7 + 1  # said on a Friday: the next one
        return said_on + timedelta(days)
    ahead = DAYS.get(first, 0)
    return said_on + timedelta(ahead) if ahead > 0 else None


def _last_day(named: NamedTime, said_on: date) -> date | None:
    """The first such day that is not past; of a month its last day."""
    if named.day:
        days = named.days(said_on.year, said_on.year + 1)
    elif named.months:
        years = [named.year] if named.year else [said_on.year, said_on.year + 1]
        days = [_end_of(year, month) for year in years for month in named.months]
    else:
        return None
    return min((day for day in days if day >= said_on), default=None)


def _end_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(1)

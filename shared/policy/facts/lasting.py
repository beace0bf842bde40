"""Reads until which day something holds: "I'm staying at the Ritz until 3 December"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.grounding.vocabulary import DAYS, WEEKDAYS
from shared.policy.facts.stance.clauses import read_clauses
from shared.policy.facts.stance.patterns import plain
from shared.policy.facts.values import plain_value
from shared.policy.ranking.dates import read_dates
from shared.policy.ranking.named_time import NamedTime

#: In English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Arabic and Chinese.
_UNTIL = re.compile(
    r"(?<!\w)(?:until|till?|bis(?: zum| einschließlich| inklusive)?|jusqu['’](?:au|à|en)"
    r"|hasta(?: el)?|fino (?:al|a)|até(?: a| ao| o)?|tot(?: en met)?|до|حتى)\s+"
    r"|直到|到(?=星期|\d|明|后)"
)
#: After "until" and before the day.
_LEAD = re.compile(r"(?:the|this|next|coming|and including|nächsten|kommenden|den|le|el|il|o|a)\s+")
#: A full stop after a number does not end a sentence: "bis zum 3. Dezember".
_SENTENCE_END = re.compile(r"(?<=[^\d\s])[.!?…]+(?=\s|$)|[\n;。！？।]")
_ORDINAL_DOT = re.compile(r"(?<=\d)\.(?=\s)")
#: Short forms of 星期, a week, in the names of days.
_WEEK = re.compile(r"周(?=[一二三四五六日])|礼拜")
#: The same in Japanese, Hindi and Turkish, after the day.
_UNTIL_BEHIND = re.compile(r"まで(?=\W|[^\Wで])|(?<=\s)तक(?=\s)|(?<=\s)kadar(?=\s)")
#: "I was in Rome until Friday". Verbs of the past, in the languages above.
_PAST = re.compile(
    r"(?<!\w)(?:(?:i|we) (?:was|were|had|did|kept|went|spent|slept|\w+ed)|war|waren|hatten?|"
    r"wohnten?|lebten?|arbeiteten?|blieb|(?:habe?|bin|sind|haben) (?:\w+ ){1,5}ge\w+(?:t|en)|étais|"
    r"étions|avais|avions|habitais|vivais|travaillais|ai été|suis resté|suis restée|estaba|estuve|"
    r"estuvimos|era|fui|tenía|tuve|vivía|viví|trabajaba|trabajé|quedé|ero|stavo|avevo|vivevo|"
    r"lavoravo|son[oa] stat[oa]|estava|estive|tinha|morava|fiquei|was|waren|had|woonde|werkte|"
    r"bleef|verbleef|был|была|было|были|жил|жила|работал|работала|كنت|كنا|था|थी|थे|\w+[dt][ıiuü]m)(?!\w)"
    r"|いました|でした|ていた"
)
MOST_WORDS = 4  # "3 December 2026"; what comes after that is not the day any more
MOST_CHARS = 8  # the same in Japanese
LEAST_SAME = 3  # letters of a weekday in another form: "до пятницы", "cumaya kadar"


def read_end(text: str, value: str, said_on: date) -> date | None:
    """The last day on which `value` holds, by a message of the day `said_on`.

    None: the message names none in the clause that says the value, nor right before or after it,
    as in "Until Friday, I'm in Rome".
    """
    for sentence in _SENTENCE_END.split(text):
        clauses = [clause.text for clause in read_clauses(_ORDINAL_DOT.sub("", sentence))]
        for number, clause in enumerate(clauses):
            if plain_value(plain(value)) not in plain_value(clause):
                continue
            beside = (*clauses[max(0, number - 1) : number], *clauses[number + 1 : number + 2])
            return next(
                (
                    day
                    for each in (clause, *filter(_is_bare_end, beside))
                    if (day := _read_clause(each, said_on))
                ),
                None,
            )
    return None


def _read_clause(clause: str, said_on: date) -> date | None:
    low = _WEEK.sub("星期", clause.lower())
    if until := _UNTIL.search(low):
        return _read_day(low[until.end() :].split(), said_on)
    if until := _UNTIL_BEHIND.search(f"{low} "):
        return _read_day_before(low[: until.start()], said_on)
    return None


def _is_bare_end(clause: str) -> bool:
    """Whether it says no more than until when."""
    return names_end(clause) and len(clause.split()) <= MOST_WORDS + 2


def names_end(text: str) -> bool:
    """Whether it begins with "until"."""
    return bool(_UNTIL.match(f"{text} ") or _UNTIL_BEHIND.search(f"{text} "))


def ends_in_past(text: str) -> bool:
    """Whether what ends on that day was in the past already: "I was in Rome until Friday"."""
    has_end = _UNTIL.search(text) or _UNTIL_BEHIND.search(text)
    return bool(has_end and _PAST.search(text))


def _read_day_before(text: str, said_on: date) -> date | None:
    """The day that the text ends with, by its longest end that is one."""
    near = text[-MOST_CHARS:]
    words = text.split()[-MOST_WORDS:]
    ends = [words[start:] for start in range(len(words))]
    ends += [[near[start:]] for start in range(len(near))]
    return next((day for end in ends if (day := _read_day(end, said_on))), None)


def _read_day(listed: Sequence[str], said_on: date) -> date | None:
    """The day that the words begin with."""
    words = _LEAD.sub("", " ".join(listed[: MOST_WORDS + 1]), count=1).split()[:MOST_WORDS]
    for named_time in read_dates(" ".join(words), said_on):
        if end := _last_day(named_time, said_on):
            return end
    first = fold(words[0]).strip(",.:!?") if words else ""
    weekday = _find_weekday(first)
    if weekday is not None:
        days = (weekday - said_on.weekday() - 1) % 7 + 1  # said on a Friday: the next one
        return said_on + timedelta(days)
    ahead = DAYS.get(first, 0)
    return said_on + timedelta(ahead) if ahead > 0 else None


def _find_weekday(word: str) -> int | None:
    """The weekday with the longest name that the word begins with, but for the name's last letter.

    In a script without spaces the word may go on with anything.
    """
    if word in WEEKDAYS:
        return WEEKDAYS[word]
    alike = [
        name
        for name in WEEKDAYS
        if (word.startswith(name[:-1]) and len(name) > LEAST_SAME and word.isalpha())
        or word.startswith(name)
    ]
    return WEEKDAYS[max(alike, key=len)] if alike else None


def _last_day(named_time: NamedTime, said_on: date) -> date | None:
    """The first such day that is not past; of a month its last day."""
    if named_time.day:
        days = named_time.days(said_on.year, said_on.year + 1)
    elif named_time.months:
        years = [named_time.year] if named_time.year else [said_on.year, said_on.year + 1]
        days = [_end_of(year, month) for year in years for month in named_time.months]
    else:
        return None
    return min((day for day in days if day >= said_on), default=None)


def _end_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(1)

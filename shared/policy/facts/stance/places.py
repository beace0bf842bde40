"""Homes and jobs: whether a clause says the one or the other of a place."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter

from shared.policy.facts.grounding.evidence import list_parts
from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.grounding.vocabulary import (
    FILLERS,
    MONTH_UNITS,
    NUMBERS,
    WEEKS,
    YEARS,
)
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.patterns import Patterns, plain
from shared.policy.facts.stance.topics import read_topic

MAX_WORDS_BETWEEN = 2  # the user and the job or home
HOMES = ("home_city", "home_country")
JOBS = ("employer", "occupation")
#: "for twelve years", "seit zwölf Jahren".
SPANS_OF_TIME = FILLERS | WEEKS | MONTH_UNITS | YEARS | frozenset(NUMBERS)
#: Between "work" and where.
_AT_WORK = re.compile(
    r"\b(?:at|for|bei|für|bij|voor|chez|pour|presso|para|por|в|на)\s+(?:the\s+|der\s+|die\s+|la\s+|el\s+)?$"
)


def leaves_place_open(claim: Claimed, clause: Clause, offset: int) -> bool:
    """Whether it may be no home or job, or no more. `offset` is where the value begins."""
    key = read_topic(claim.key).key
    if key in JOBS:
        return clause.is_overtaken or _is_far(clause, offset, attrgetter("jobs"))
    if key in HOMES:
        return clause.is_overtaken or _is_far(clause, offset, attrgetter("homes"))
    return False


def is_of_other_place(claim: Claimed, clause: Clause) -> bool:
    """ "I work at Halden Steel" does not state a home; "I live in Rome" does not state a job."""
    key = read_topic(claim.key).key
    jobs = any(language.jobs.search(clause.text) for language in clause.languages)
    if key in HOMES:
        homes = any(language.homes.search(clause.text) for language in clause.languages)
        return jobs and not homes
    if key not in JOBS or jobs:
        return False
    offset = offset_of(claim.value, clause.text)
    return any(_is_of_home(language, clause.text, offset) for language in clause.languages)


def _is_of_home(language: Patterns, text: str, offset: int) -> bool:
    """Whether the word for a home is said of the value, which begins at `offset`.

    In "a nurse living in Rome", and in "I live in Rome and am a nurse", it is not said of "nurse".
    """
    if language.table.ends_with_verb:
        return bool(language.homes.search(text, offset))
    before = text[:offset]
    homes = list(language.homes.finditer(text if language.table.negates_after else before))
    return bool(homes) and not language.ands.search(before, homes[0].end())


def names_workplace(claim: Claimed, clause: Clause) -> bool:
    """Whether the claim calls it an occupation, and the clause a place: "I work at Bosch"."""
    if read_topic(claim.key).key != "occupation":
        return False
    return bool(_AT_WORK.search(clause.text[: offset_of(claim.value, clause.text)]))


def _is_far(clause: Clause, offset: int, topic: Callable[[Patterns], re.Pattern[str]]) -> bool:
    """Whether the clause has no word for work (or a home), and "I" is far from the value.

    "I went to a support group" states no job; "I'm a trained nurse" and "I work nights" do. "I
    spent the weekend in York" states no home.
    """
    if any(topic(language).search(clause.text) for language in clause.languages) or (
        not clause.languages
    ):
        return False
    before = clause.text[:offset]
    ends = [
        match.end()
        for language in clause.languages
        for match in language.first_person.finditer(before)
    ]
    if any(language.table.is_unspaced for language in clause.languages) or not ends:
        return False
    between = [fold(word) for word in before[max(ends) :].split()]
    return sum(word not in SPANS_OF_TIME for word in between) > MAX_WORDS_BETWEEN


def offset_of(value: str, text: str) -> int:
    """The offset of a value in a clause. If it is not found, the clause's length."""
    parts = [part.word.text for part in list_parts(value)]
    offsets = [
        match.start()
        for match in re.finditer(r"\w+", text)
        for part in parts
        if fold(match[0]).startswith(part[: max(3, len(part) - 2)])
    ]
    if offsets:
        return min(offsets)
    offset = text.find(plain(value))
    return offset if offset >= 0 else len(text)

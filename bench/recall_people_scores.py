"""Scores of questions that need one message of each of several groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from bench.recall_data import Spot
from bench.recall_people import PersonQuestion

COLUMNS = ("R@5", "R@10", "hit@5", "hit@10", "B1000", "kept", "refused")


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What one retriever found for a question, best first."""

    person: str
    asked: PersonQuestion
    ranked: Sequence[Spot]
    #: The messages within the prompt's 1,000 tokens. None: this retriever writes no prompt.
    given: frozenset[Spot] | None = None
    #: Nothing was relevant enough to be quoted.
    is_refused: bool = False


def print_header() -> None:
    print(f"{'':34}" + "".join(f"{column:>9}" for column in COLUMNS) + f"{'n':>6}{'none':>6}")


def print_rows(name: str, replies: Sequence[Reply]) -> None:
    """All replies, then those of each person."""
    _print_row(name, replies)
    for person in dict.fromkeys(one.person for one in replies):
        _print_row(f"  {person}", [one for one in replies if one.person == person])


def has_all(groups: Sequence[frozenset[Spot]], found: Iterable[Spot]) -> bool:
    found = set(found)
    return all(group & found for group in groups)


def has_any(groups: Sequence[frozenset[Spot]], found: Iterable[Spot]) -> bool:
    found = set(found)
    return any(group & found for group in groups)


def _print_row(name: str, replies: Sequence[Reply]) -> None:
    answerable = [one for one in replies if one.asked.groups]
    others = [one for one in replies if not one.asked.groups]
    given = [one for one in answerable if one.given is not None]
    values = (
        _share(answerable, lambda one: has_all(one.asked.groups, one.ranked[:5])),
        _share(answerable, lambda one: has_all(one.asked.groups, one.ranked[:10])),
        _share(answerable, lambda one: has_any(one.asked.groups, one.ranked[:5])),
        _share(answerable, lambda one: has_any(one.asked.groups, one.ranked[:10])),
        _share(given, lambda one: has_all(one.asked.groups, one.given or ())),
        _share(given, lambda one: not one.is_refused),
        _share([one for one in others if one.given is not None], lambda one: one.is_refused),
    )
    cells = "".join(f"{'-' if value is None else format(value, '.1f'):>9}" for value in values)
    print(f"{name:34}{cells}{len(answerable):>6}{len(others):>6}", flush=True)


def _share(replies: Sequence[Reply], holds: Callable[[Reply], bool]) -> float | None:
    """In percent. None: there are no replies."""
    return 100 * fmean(holds(one) for one in replies) if replies else None

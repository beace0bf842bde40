"""Score rankings: the share of the evidence that they find, as means over questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bench.recall_data import ADVERSARIAL, CATEGORIES, Asked, Spot

CUTS = (5, 10, 25, 50)
SESSIONS = 3
COLUMNS = (*(f"R@{cut}" for cut in CUTS), f"S@{SESSIONS}", "B1000")


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What one retriever found for one question: best first, and what fits into 1,000 tokens."""

    chat: str
    asked: Asked
    ranked: Sequence[Spot]
    given: frozenset[Spot] | None = None


def print_tables(name: str, answered: Sequence[Answered]) -> None:
    """Overall, by category and by conversation. Adversarial questions have no evidence to find."""
    counted = [one for one in answered if one.asked.category != ADVERSARIAL]
    groups: dict[str, list[Answered]] = defaultdict(list)
    for one in counted:
        groups[f"  {CATEGORIES[one.asked.category]}"].append(one)
    for one in counted:
        groups[f"  conversation {one.chat}"].append(one)
    print_row(name, counted)
    for group, members in sorted(groups.items()):
        print_row(group, members)


def print_header() -> None:
    print(f"{'':34}" + "".join(f"{column:>8}" for column in COLUMNS) + f"{'n':>6}")


def print_row(name: str, answered: Sequence[Answered]) -> None:
    cells = "".join(f"{'-' if v is None else format(v, '.1f'):>8}" for v in measure(answered))
    print(f"{name:34}{cells}{len(answered):>6}", flush=True)


def measure(answered: Sequence[Answered]) -> list[float | None]:
    """In percent, in the order of `COLUMNS`."""
    recalls = [_mean(_found(one.asked, one.ranked[:cut]) for one in answered) for cut in CUTS]
    within = [_found(one.asked, one.given) for one in answered if one.given is not None]
    return [*recalls, mean_sessions_found(answered, SESSIONS), _mean(within) if within else None]


def _found(asked: Asked, spots: Iterable[Spot]) -> float:
    return len(asked.evidence & set(spots)) / len(asked.evidence)


def mean_sessions_found(answered: Sequence[Answered], first: int) -> float:
    """The share of the evidence's sessions among the `first` that were found, in percent."""
    return _mean(_sessions_found(one, first) for one in answered)


def _sessions_found(one: Answered, count: int) -> float:
    first = list(dict.fromkeys(title for title, _ in one.ranked))[:count]
    wanted = {title for title, _ in one.asked.evidence}
    return len(wanted & set(first)) / len(wanted)


def _mean(shares: Iterable[float]) -> float:
    return 100 * fmean(shares)


def print_curve(
    what: str, answerable: Sequence[float], others: Sequence[float], steps: Mapping[float, str]
) -> None:
    """For each threshold: how many answerable questions pass, and how many others are refused."""
    print(f"{what}: {len(answerable)} with an answer, {len(others)} without")
    for threshold, note in sorted(steps.items()):
        kept = 100 * fmean(one >= threshold for one in answerable)
        refused = 100 * fmean(one < threshold for one in others)
        passing = sum(one >= threshold for one in (*answerable, *others))
        right = sum(one >= threshold for one in answerable)
        precision = 100 * right / passing if passing else 100.0
        print(
            f"  >= {threshold:.2f}  recall {kept:5.1f}  precision {precision:5.1f}"
            f"  refused of the others {refused:5.1f}  {note}"
        )

"""Score rankings: the share of the evidence that they find, as means over questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

from bench.recall.chats import Asked, Spot

CUTS = (5, 10, 25)
SESSIONS = 3
BUDGETS = (1000, 4000, 7000)  # tokens
COVERAGE = (1000, 2000, 4000, 7000)  # tokens
COLUMNS = (
    *(f"R@{cut}" for cut in CUTS), f"S@{SESSIONS}", *(f"B{budget}" for budget in BUDGETS),
    "kept", "refused",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What one retriever found for one question."""

    chat: str
    question: Asked
    #: Best first.
    ranked: Sequence[Spot]
    #: What a prompt would quote, and how many tokens it takes up to there.
    quoted: Mapping[Spot, int] = field(default_factory=dict)
    #: Nothing was relevant enough to be quoted.
    is_refused: bool = False


def print_tables(name: str, answered: Sequence[Answered]) -> None:
    """All answers, and those of each kind of question."""
    kinds: dict[str, list[Answered]] = defaultdict(list)
    for answer in answered:
        kinds[answer.question.kind].append(answer)
    print_row(name, answered)
    for kind, members in sorted(kinds.items()):
        if kind:
            print_row(f"  {kind}", members)


def print_header() -> None:
    print(f"{'':34}" + "".join(f"{column:>8}" for column in COLUMNS) + f"{'n':>6}{'none':>6}")


def print_row(name: str, answered: Sequence[Answered]) -> None:
    """`n` counts the questions with an answer, `none` those without."""
    cells = "".join(f"{'-' if v is None else format(v, '.1f'):>8}" for v in _measure(answered))
    count = sum(bool(answer.question.groups) for answer in answered)
    print(f"{name:34}{cells}{count:>6}{len(answered) - count:>6}", flush=True)


def _measure(answered: Sequence[Answered]) -> list[float | None]:
    """In percent, in the order of `COLUMNS`. None: there are no such questions."""
    answerable = [answer for answer in answered if answer.question.groups]
    others = [answer for answer in answered if not answer.question.groups]
    return [
        *(_mean(answerable, partial(_found_first, cut)) for cut in CUTS),
        mean_sessions_found(answerable, SESSIONS),
        *(_mean(answerable, partial(_found_within, budget)) for budget in BUDGETS),
        _mean(answerable, lambda answer: not answer.is_refused),
        _mean(others, lambda answer: answer.is_refused),
    ]


def share_found(groups: Sequence[frozenset[Spot]], spots: Collection[Spot]) -> float:
    """The share of the groups of which at least one message was found."""
    return fmean(not group.isdisjoint(spots) for group in groups)


def print_coverage(answered: Sequence[Answered]) -> None:
    """The share of the rounds with evidence of which a prompt quotes the message or the reply."""
    print(f"{'rounds named, in tokens':34}" + "".join(f"{budget:>8}" for budget in COVERAGE))
    kinds: dict[str, list[Answered]] = defaultdict(list)
    for answer in answered:
        if answer.question.groups:
            kinds[answer.question.kind].append(answer)
    for kind, members in sorted(kinds.items()):
        shares = [_mean(members, partial(_named_within, budget)) for budget in COVERAGE]
        print(f"{kind:34}" + "".join(f"{share:>8.1f}" for share in shares) + f"{len(members):>6}")


def _named_within(tokens: int, answer: Answered) -> float:
    rounds = [frozenset(map(_round_of, group)) for group in answer.question.groups]
    return share_found(
        rounds, {_round_of(spot) for spot, end in answer.quoted.items() if end <= tokens}
    )


def _round_of(spot: Spot) -> Spot:
    """A user message has an even number, its reply the next."""
    title, sequence = spot
    return title, sequence - sequence % 2


def _found_first(count: int, answer: Answered) -> float:
    return share_found(answer.question.groups, answer.ranked[:count])


def _found_within(tokens: int, answer: Answered) -> float:
    quoted = [spot for spot, end in answer.quoted.items() if end <= tokens]
    return share_found(answer.question.groups, quoted)


def mean_sessions_found(answered: Sequence[Answered], first: int) -> float | None:
    """The share of the evidence's sessions among the `first` that were found, in percent."""
    return _mean(answered, lambda answer: _sessions_found(answer, first))


def _sessions_found(answer: Answered, count: int) -> float:
    first = list(dict.fromkeys(title for title, _ in answer.ranked))[:count]
    evidence_titles = {title for title, _ in answer.question.evidence}
    return len(evidence_titles & set(first)) / len(evidence_titles)


def _mean(answered: Iterable[Answered], share: Callable[[Answered], float]) -> float | None:
    shares = [share(answer) for answer in answered]
    return 100 * fmean(shares) if shares else None


def print_curve(
    answerable: Sequence[float], others: Mapping[str, Sequence[float]], steps: Iterable[float]
) -> None:
    """For each threshold: how many questions with an answer pass, how many of the others do not."""
    print(f"{'confidence':>12}{'kept':>10}" + "".join(f"{name:>14}" for name in others))
    for threshold in steps:
        passing_percent = 100 * fmean(score >= threshold for score in answerable)
        refused = [
            100 * fmean(score < threshold for score in scores) if scores else 0.0
            for scores in others.values()
        ]
        cells = "".join(f"{share:>14.1f}" for share in refused)
        print(f"{threshold:>12.2f}{passing_percent:>10.1f}{cells}")

"""Episodes: when an episode is due, and which messages it closes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from shared.models import Span

MOST_CONCEPTS = 8


@dataclass(frozen=True, kw_only=True)
class EpisodeRule:
    """When an episode is due. All fields count messages; a message in no episode is pending.

    By default an episode is due at `trigger` pending messages and closes all but the newest `keep`.
    With `window_limit` it is due at more than `window_limit` pending messages, and closes so many.
    """

    trigger: int
    keep: int
    window_limit: int | None = None


def hole_span(first: int, before: int, rule: EpisodeRule) -> Span:
    """The span to close next in a hole that ends before message `before`.

    It has the same maximum length as other episodes.
    """
    return Span(start=first, end=min(before, first + (rule.window_limit or rule.trigger)) - 1)


def episode_span(first_pending: int, last_saved: int, rule: EpisodeRule) -> Span | None:
    """The span to close next, or None when none is due.

    One episode closes `trigger` messages at most, so that its prompt fits the model. After an
    import or a long fault, when more are pending, the next episode follows at once.
    """
    pending = last_saved - first_pending + 1
    if rule.window_limit is not None:
        closed = rule.window_limit if pending > rule.window_limit else 0
    else:
        closed = min(pending - rule.keep, rule.trigger) if pending >= rule.trigger else 0
    return Span(start=first_pending, end=first_pending + closed - 1) if closed > 0 else None


def pending_to_be_due(rule: EpisodeRule) -> int:
    """The fewest pending messages at which `episode_span` finds an episode due."""
    return rule.trigger if rule.window_limit is None else rule.window_limit + 1


def join_concepts(parts: Sequence[Sequence[str]]) -> list[str]:
    """Join the concepts of an episode's parts: first the first of each part, then the second …"""
    in_turn = chain.from_iterable(zip_longest(*parts))
    distinct = dict.fromkeys(concept for concept in in_turn if concept)
    return list(distinct)[:MOST_CONCEPTS]

"""Whether anything that was found answers at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.policy.ranking.passages import Ranked

LOOKED_AT = 10
# Chosen with `python -m bench.recall`, which prints the whole curve. Low: a message that answers
# in other words is not far above it. See docs/retrieval.md for what this can not tell apart.
ENOUGH = 0.25
COVERED = 0.5
RELATED = 0.15


def confidence(ranked: Sequence[Ranked], words: Mapping[str, float]) -> float:
    """0 for nothing in common, about 1.3 for the question's own words.

    The best similarity, and how much of the words' weight one message holds: of the best few,
    and not scaled to them, so that it compares between questions.
    """
    best = [one.passage for one in ranked[:LOOKED_AT]]
    similarity = max((one.similarity or 0.0 for one in best), default=0.0)
    weight = sum(words.values())
    held = max((sum(words.get(word, 0.0) for word in one.held) for one in best), default=0.0)
    return similarity + COVERED * (held / weight if weight else 0.0)


def choose_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> list[Ranked]:
    """In the same order; none at all where not even the best of them answers."""
    if not is_anything_relevant(ranked, words):
        return []
    return [one for one in ranked if is_relevant(one)]


def is_relevant(one: Ranked) -> bool:
    """Has something of the question itself, and does not only stand beside what has."""
    return bool(one.passage.held) or (one.passage.similarity or 0.0) >= RELATED


def is_anything_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> bool:
    """Without vectors, any of the words is enough: nothing else can be told."""
    if all(one.passage.similarity is None for one in ranked):
        return any(one.passage.held for one in ranked)
    return confidence(ranked, words) >= ENOUGH

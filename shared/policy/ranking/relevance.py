"""Decide whether anything that was found answers at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.policy.ranking.passages import Ranked

BEST = 10  # messages whose best values decide
# Chosen with `python -m bench.recall`, which prints the whole curve. It is low because a message
# that answers in other words scores little more. docs/retrieval.md says what it cannot tell apart.
LEAST_CONFIDENCE = 0.25
COVERAGE_WEIGHT = 0.5
LEAST_SIMILARITY = 0.15


def confidence(ranked: Sequence[Ranked], words: Mapping[str, float]) -> float:
    """0 for nothing in common, about 1.3 for the question's own words.

    The best similarity, plus half the largest share of the words' weight that one message
    contains. Nothing is scaled to this query, so values compare between queries.
    """
    best = [one.passage for one in ranked[:BEST]]
    similarity = max((one.similarity or 0.0 for one in best), default=0.0)
    covered = max((sum(words.get(word, 0.0) for word in one.matched) for one in best), default=0.0)
    total = sum(words.values())
    return similarity + COVERAGE_WEIGHT * (covered / total if total else 0.0)


def choose_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> list[Ranked]:
    """The relevant ones in the same order; none where not even the best of them answers."""
    if not is_anything_relevant(ranked, words):
        return []
    return [one for one in ranked if is_relevant(one)]


def is_relevant(one: Ranked) -> bool:
    """It matches the question itself, and does not only stand beside a message that does."""
    return bool(one.passage.matched) or (one.passage.similarity or 0.0) >= LEAST_SIMILARITY


def is_anything_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> bool:
    """Without vectors any of the words is enough, since nothing else is known."""
    if all(one.passage.similarity is None for one in ranked):
        return any(one.passage.matched for one in ranked)
    return confidence(ranked, words) >= LEAST_CONFIDENCE

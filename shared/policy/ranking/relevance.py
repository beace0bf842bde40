"""Decide whether any of the found messages answers the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.policy.ranking.passages import Ranked

BEST = 10  # the confidence depends on so many messages
# Chosen with `python -m bench.recall`, which prints the whole curve. The limit is low because a
# message that answers in other words scores little more. docs/retrieval.md describes its errors.
LEAST_CONFIDENCE = 0.25
COVERAGE_WEIGHT = 0.5
LEAST_SIMILARITY = 0.15


def confidence(ranked: Sequence[Ranked], words: Mapping[str, float]) -> float:
    """The best similarity, plus half the largest share of the words' weight in one message.

    0: nothing in common; about 1.3: the question's own words. The values of different queries can
    be compared.
    """
    best = [one.passage for one in ranked[:BEST]]
    similarity = max((one.similarity or 0.0 for one in best), default=0.0)
    covered = max((sum(words.get(word, 0.0) for word in one.matched) for one in best), default=0.0)
    total = sum(words.values())
    return similarity + COVERAGE_WEIGHT * (covered / total if total else 0.0)


def choose_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> list[Ranked]:
    """The relevant messages in the same order; none if not even the best messages answer."""
    if not is_anything_relevant(ranked, words):
        return []
    return [one for one in ranked if is_relevant(one)]


def is_relevant(one: Ranked) -> bool:
    """Whether the message itself matches the question, and not only a neighbour of it."""
    return bool(one.passage.matched) or (one.passage.similarity or 0.0) >= LEAST_SIMILARITY


def is_anything_relevant(ranked: Sequence[Ranked], words: Mapping[str, float]) -> bool:
    """Whether the question has an answer. Without vectors a single matched word is enough."""
    if all(one.passage.similarity is None for one in ranked):
        return any(one.passage.matched for one in ranked)
    return confidence(ranked, words) >= LEAST_CONFIDENCE

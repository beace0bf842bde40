"""Decide whether any of the found messages answers the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.models import Calibration, Passage
from shared.policy.ranking.passages import Ranked

BEST = 10  # the confidence depends on so many messages
# Chosen with `python -m bench.recall`, which prints the whole curve. The limit is low because a
# message that answers in other words scores little more. docs/retrieval.md describes its errors.
LEAST_CONFIDENCE = 0.4
COVERAGE_WEIGHT = 1.25
LEAST_RELEVANCE = 0.0


def confidence(
    ranked: Sequence[Ranked], words: Mapping[str, float], calibration: Calibration
) -> float:
    """The best relevance, plus the largest share of the words' weight in one message, weighted.

    0: nothing in common; above 2: the question's own words. The values of different queries, and
    of different models, can be compared.
    """
    best = [one.passage for one in ranked[:BEST]]
    similarity = max((0.0, *(_relevance(one, calibration) for one in best)))
    covered = max((sum(words.get(word, 0.0) for word in one.matched) for one in best), default=0.0)
    total = sum(words.values())
    coverage = covered / total if total else 0.0
    return calibration.trust * similarity + COVERAGE_WEIGHT * coverage


def choose_relevant(
    ranked: Sequence[Ranked], words: Mapping[str, float], calibration: Calibration
) -> list[Ranked]:
    """The relevant messages in the same order; none if not even the best messages answer."""
    if not is_anything_relevant(ranked, words, calibration):
        return []
    return [one for one in ranked if is_relevant(one, calibration)]


def is_relevant(one: Ranked, calibration: Calibration) -> bool:
    """Whether the message itself matches the question, and not only a neighbour of it."""
    return bool(one.passage.matched) or _relevance(one.passage, calibration) >= LEAST_RELEVANCE


def is_anything_relevant(
    ranked: Sequence[Ranked], words: Mapping[str, float], calibration: Calibration
) -> bool:
    """Whether the question has an answer. Without vectors a single matched word is enough."""
    if all(one.passage.similarity is None for one in ranked):
        return any(one.passage.matched for one in ranked)
    return confidence(ranked, words, calibration) >= LEAST_CONFIDENCE


def _relevance(one: Passage, calibration: Calibration) -> float:
    """Below any message with a vector: a message without."""
    return -1.0 if one.similarity is None else calibration.relevance(one.similarity)

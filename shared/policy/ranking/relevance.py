"""Decide whether any of the found messages answers the question."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shared.models import Calibration, Passage
from shared.policy.local_time import to_local
from shared.policy.ranking.named_time import NEXT_DAY
from shared.policy.ranking.passages import Criteria, Ranked
from shared.policy.ranking.question import Question
from shared.policy.ranking.token_vectors import token_similarities

BEST = 10  # the confidence depends on so many messages
BEST_OF_ALL = 40  # if the question is about the whole time, which many messages answer together
# Chosen with `python -m bench.recall`, which prints the whole curve, on LoCoMo and on questions in
# twelve languages. docs/retrieval.md describes its errors.
LEAST_CONFIDENCE = 0.70
# Of many messages one resembles any question. Of few none does, so less is asked of the best.
LEAST_FOR_EACH_E_FOLD = 0.18
COVERAGE_WEIGHT = 0.5
MONTH_WEIGHT = 0.25  # a message of the month that the question names
LEAST_TRUST = 0.1  # a bound for how much more words weigh where the model cannot be trusted
LEAST_RELEVANCE = 0.0


def confidence(ranked: Sequence[Ranked], criteria: Criteria) -> float:
    """How likely it is that one of the best messages answers. Comparable between queries.

    It is the best relevance by meaning, where 1 is a typical answer, plus the largest share of the
    question's words in one message, weighted. Words count more where the model is trusted less.
    Last, messages of the time that the question names count.
    """
    most = BEST_OF_ALL if criteria.question.asks_for_whole else BEST
    best = [hit.passage for hit in ranked[:most]]
    meaning = max((0.0, *_relevances(best, criteria)))
    trust = max(LEAST_TRUST, criteria.calibration.trust)
    words = COVERAGE_WEIGHT / trust * _coverage(best, criteria)
    return meaning + words + _rate_times(best, criteria.question)


def choose_relevant(ranked: Sequence[Ranked], criteria: Criteria) -> list[Ranked]:
    """The relevant messages in the same order; none if not even the best messages answer."""
    if not is_anything_relevant(ranked, criteria):
        return []
    return [hit for hit in ranked if is_relevant(hit, criteria.calibration)]


def is_relevant(hit: Ranked, calibration: Calibration) -> bool:
    """Whether the message itself matches the question, and not only a neighbour of it."""
    return bool(hit.passage.matched) or _relevance(hit.passage, calibration) >= LEAST_RELEVANCE


def is_anything_relevant(ranked: Sequence[Ranked], criteria: Criteria) -> bool:
    """Whether the question has an answer. Without vectors a single matched word is enough."""
    if all(hit.passage.similarity is None for hit in ranked):
        return any(hit.passage.matched for hit in ranked)
    return confidence(ranked, criteria) >= least_confidence(len(ranked))


def least_confidence(message_count: int) -> float:
    """What the best of so many messages must reach. Of a single one nothing is asked."""
    return min(LEAST_CONFIDENCE, LEAST_FOR_EACH_E_FOLD * math.log(max(1, message_count)))


def _rate_times(best: Sequence[Passage], question: Question) -> float:
    """Rate how well the messages fit the time of the question.

    A message of the named day is enough: "What did I tell you on 3 May?" is like none of them. So
    is any message if the question is about the first or the last time.
    """
    if question.occasion is not None and best:
        return LEAST_CONFIDENCE
    days = [to_local(passage.said_at, question.zone).date() for passage in best]
    if any(time.day_share(day) >= NEXT_DAY for time in question.dates for day in days):
        return LEAST_CONFIDENCE
    months = [time for time in question.dates if time.is_within_a_year]
    return MONTH_WEIGHT * any(time.matches_month(day) for time in months for day in days)


def _coverage(best: Sequence[Passage], criteria: Criteria) -> float:
    """The largest share of the weight of the question's words that one message contains."""
    words = criteria.words
    covered = max(
        (sum(words.get(word, 0.0) for word in passage.matched) for passage in best), default=0.0
    )
    total = sum(words.values()) + criteria.unsaid_weight
    return covered / total if total else 0.0


def _relevances(best: Sequence[Passage], criteria: Criteria) -> list[float]:
    """By whole texts and by tokens in equal parts, where a message has both."""
    calibration, signs = criteria.calibration, criteria.token_signs
    whole = [_relevance(passage, calibration) for passage in best]
    if signs is None:
        return whole
    by_token = token_similarities(signs, [passage.token_signs for passage in best])
    return [
        a if b is None else (a + calibration.token_relevance(b)) / 2
        for a, b in zip(whole, by_token, strict=True)
    ]


def _relevance(passage: Passage, calibration: Calibration) -> float:
    """The relevance of a message. Without a vector it is below all messages with one."""
    return -1.0 if passage.similarity is None else calibration.relevance(passage.similarity)

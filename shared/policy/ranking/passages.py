"""Messages in order of how well they answer a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from shared.models import Passage
from shared.policy.ranking.question import Question
from shared.policy.ranking.weights import WEIGHTS, Weights
from shared.policy.ranking.words import bm25

AROUND = 3  # places to either side
# The similarity of things that have nothing to do with each other. Fixed, not the lowest found:
# that would hang on how many candidates there are.
UNRELATED = -0.1
LONG_ENOUGH = 15  # different words
BARE = 4  # a message of fewer says little alone

Place = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Ranked:
    passage: Passage
    score: float


def rank_passages(
    passages: Sequence[Passage],
    question: Question,
    words: Mapping[str, float],
    weights: Weights = WEIGHTS,
) -> list[Ranked]:
    """Best first. `words` are the question's, with what each weighs.

    `passages` hold the candidates' neighbours, too; these are ranked like the others.
    """
    meaning = _scaled(passages, lambda one: (one.similarity or UNRELATED) - UNRELATED)
    mean_length = fmean([one.length for one in passages]) if passages else 1.0
    held = _scaled(passages, lambda one: bm25(one.held, words, one.length, mean_length or 1.0))
    ranked = [
        Ranked(
            passage=one,
            score=_near(meaning, place, weights)
            + _worded(held, place, weights)
            + _apt(one, question, weights),
        )
        for place, one in ((_place(one), one) for one in passages)
    ]
    return sorted(ranked, key=lambda one: (-one.score, _place(one.passage)))


def add_context(best: Sequence[Ranked], among: Sequence[Ranked]) -> list[Ranked]:
    """`best` with what came right before each bare "Yes, I did!", which says little alone."""
    known = {_place(one.passage): one for one in among}
    added: dict[Place, Ranked] = {}
    for one in best:
        conversation, sequence = _place(one.passage)
        added.setdefault((conversation, sequence), one)
        before = known.get((conversation, sequence - 1))
        if one.passage.length < BARE and before is not None:
            added.setdefault(_place(before.passage), replace(before, score=one.score))
    return list(added.values())


def _near(meaning: Mapping[Place, float], place: Place, weights: Weights) -> float:
    conversation, sequence = place
    around = max(
        meaning.get((conversation, sequence + step), 0.0) for step in range(-AROUND, AROUND + 1)
    )
    following = meaning.get((conversation, sequence + 1), 0.0)
    return (
        weights.meaning * meaning[place]
        + weights.around * around
        + weights.next_meaning * following
    )


def _worded(held: Mapping[Place, float], place: Place, weights: Weights) -> float:
    conversation, sequence = place
    beside = sum(held.get((conversation, sequence + step), 0.0) for step in (-1, 1))
    return weights.words * held[place] + weights.beside_words * beside


def _apt(one: Passage, question: Question, weights: Weights) -> float:
    """What the message is like, whatever it says."""
    said = one.said_at.date()
    return (
        weights.speaker * _is_speakers(one, question)
        + weights.month * any(named.fits_month(said) for named in question.dates)
        + weights.day * any(named.fits_day(said) for named in question.dates)
        - weights.asks * one.asks
        + weights.length * min(1.0, one.length / LONG_ENOUGH)
    )


def _is_speakers(one: Passage, question: Question) -> bool:
    if question.speaker is not None:
        return one.name == question.speaker
    return one.role == question.role


def _scaled(passages: Sequence[Passage], measure: Callable[[Passage], float]) -> dict[Place, float]:
    """Each passage's measure as a share of the largest."""
    values = {_place(one): max(0.0, measure(one)) for one in passages}
    top = max(values.values(), default=0.0)
    return {place: value / top if top else 0.0 for place, value in values.items()}


def _place(one: Passage) -> Place:
    return one.conversation_id, one.sequence_number

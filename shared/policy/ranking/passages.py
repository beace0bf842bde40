"""Messages in order of how well they answer a question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from shared.models import Passage
from shared.policy.ranking.question import Question
from shared.policy.ranking.temporal_anchors import Landmark, find_instant, is_on_side
from shared.policy.ranking.tokens import Signs, token_similarities
from shared.policy.ranking.weights import WEIGHTS, Weights
from shared.policy.ranking.words import bm25

AROUND = 3  # places to either side
# The similarity of things that have nothing to do with each other. Fixed, not the lowest found:
# that would hang on how many candidates there are.
UNRELATED = -0.1
UNRELATED_TOKENS = 0.1
LONG_ENOUGH = 15  # different words
BARE = 4  # a message of fewer says little alone
LONGEST = 2**32  # messages of a conversation: its numbers are 32 bits wide

Place = tuple[str, int]
Values: TypeAlias = npt.NDArray[np.float64]  # one a passage


class Ranked(NamedTuple):
    passage: Passage
    score: float


def rank_passages(
    passages: Sequence[Passage],
    question: Question,
    words: Mapping[str, float],
    weights: Weights = WEIGHTS,
    *,
    landmark_words: Collection[str] = (),
    asked_tokens: Signs | None = None,
) -> list[Ranked]:
    """Best first. `words` are the question's, with what each weighs; `landmark_words` are those
    of them that name its landmark; `asked_tokens` are its tokens' signs.

    `passages` hold the candidates' neighbours, too; these are ranked like the others.
    """
    if not passages:
        return []
    passages = sorted(passages, key=_place)
    mean_length = fmean(one.length for one in passages) or 1.0
    meaning = _meaning(passages, asked_tokens, weights)
    held = _shares([bm25(one.held, words, one.length, mean_length) for one in passages])
    apt = _apt(passages, question, weights)
    landmark = {word: weight for word, weight in words.items() if word in landmark_words}
    apt += weights.side * _on_side(passages, question.landmark, landmark)
    beside = Beside(passages)
    scores = _near(meaning, beside, weights) + _worded(held, beside, weights) + apt
    scores += weights.conversation * _shares(beside.best_of_conversation(scores))
    order = np.argsort(-scores, kind="stable")
    return [Ranked(passages[at], float(scores[at])) for at in order]


def add_context(best: Sequence[Ranked], among: Sequence[Ranked]) -> list[Ranked]:
    """`best` with what came right before each bare "Yes, I did!", which says little alone."""
    known = {_place(one.passage): one for one in among}
    added: dict[Place, Ranked] = {}
    for one in best:
        conversation, sequence = _place(one.passage)
        added.setdefault((conversation, sequence), one)
        before = known.get((conversation, sequence - 1))
        if one.passage.length < BARE and before is not None:
            added.setdefault(_place(before.passage), before._replace(score=one.score))
    return list(added.values())


class Beside:
    """Looks up what a value is some places further on; 0 where there is no passage."""

    def __init__(self, ordered: Sequence[Passage]) -> None:
        numbers: dict[str, int] = {}
        of = [numbers.setdefault(one.conversation_id, len(numbers)) for one in ordered]
        self._conversations = np.array(of)
        self._keys = self._conversations * LONGEST + [one.sequence_number for one in ordered]

    def shift(self, values: Values, steps: int | npt.NDArray[np.int64]) -> Values:
        """A column of `steps` gives a row for each."""
        wanted = self._keys + steps
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        shifted: Values = np.where(self._keys[at] == wanted, values[at], 0.0)
        return shifted

    def best_of_conversation(self, scores: Values) -> Values:
        """0 at least. The whole talk may be about what its best message is about."""
        best = np.zeros(len(scores))
        np.maximum.at(best, self._conversations, scores)
        spread: Values = best[self._conversations]
        return spread


def _meaning(passages: Sequence[Passage], asked: Signs | None, weights: Weights) -> Values:
    """By the one vector; where there are tokens on both sides, half of it by these."""
    whole = _shares([(one.similarity or UNRELATED) - UNRELATED for one in passages])
    if asked is None:
        return whole
    near = token_similarities(asked, [one.token_signs for one in passages])
    by_token = _shares([(one or UNRELATED_TOKENS) - UNRELATED_TOKENS for one in near])
    share = weights.tokens * np.array([one is not None for one in near])
    meaning: Values = (1 - share) * whole + share * by_token
    return meaning


def _near(meaning: Values, beside: Beside, weights: Weights) -> Values:
    around: Values = beside.shift(meaning, np.arange(-AROUND, AROUND + 1)[:, None]).max(axis=0)
    return (
        weights.meaning * meaning
        + weights.around * around
        + weights.next_meaning * beside.shift(meaning, 1)
    )


def _worded(held: Values, beside: Beside, weights: Weights) -> Values:
    return weights.words * held + weights.beside_words * (
        beside.shift(held, -1) + beside.shift(held, 1)
    )


def _apt(passages: Sequence[Passage], question: Question, weights: Weights) -> Values:
    """What the messages are like, whatever they say."""
    lengths = np.array([one.length for one in passages])
    return (
        weights.speaker * np.array([_is_speakers(one, question) for one in passages])
        + _timely(passages, question, weights)
        - weights.asks * np.array([one.asks for one in passages])
        + weights.length * np.minimum(1.0, lengths / LONG_ENOUGH)
        + weights.tells * np.array([one.tells for one in passages])
    )


def _timely(passages: Sequence[Passage], question: Question, weights: Weights) -> Values:
    """Whether it was said at a time that the question names."""
    timely, dates = np.zeros(len(passages)), question.dates
    for at, one in enumerate(passages) if dates else ():
        said = one.said_at.astimezone(question.zone).date()
        timely[at] += weights.month * any(named.fits_month(said) for named in dates)
        timely[at] += weights.day * any(named.fits_day(said) for named in dates)
    return timely


def _on_side(
    passages: Sequence[Passage], landmark: Landmark | None, words: Mapping[str, float]
) -> Values:
    """1 for what was said on the asked side of the landmark; 0 everywhere when it is not found."""
    instant = find_instant(passages, words) if landmark else None
    if landmark is None or instant is None:
        return np.zeros(len(passages))
    return np.array([float(is_on_side(one.said_at, instant, landmark.side)) for one in passages])


def _is_speakers(one: Passage, question: Question) -> bool:
    if question.speaker is not None and one.name is not None:
        return one.name == question.speaker
    return one.role == question.role


def _shares(measured: Sequence[float] | Values) -> Values:
    """Each as a share of the largest."""
    values = np.maximum(0.0, measured)
    most: float = values.max() or 1.0
    shares: Values = values / most
    return shares


def _place(one: Passage) -> Place:
    return one.conversation_id, one.sequence_number

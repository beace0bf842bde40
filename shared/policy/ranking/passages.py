"""Order messages by how well they answer a question."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from shared.models import ENGLISH_MINILM, Calibration, MessageKey, Passage, Signs
from shared.policy.local_time import to_local
from shared.policy.ranking.question import Question
from shared.policy.ranking.temporal_anchors import date_anchor, is_on_side
from shared.policy.ranking.token_vectors import token_similarities
from shared.policy.ranking.weights import WEIGHTS, Weights, for_topics
from shared.policy.ranking.words import bm25

REACH = 2  # so many neighbours on either side count
LONG_ENOUGH = 15  # lexemes; more lexemes do not raise the score
GOOD_SHARE = 0.6  # of the best score: such a message may be the one of the occasion
WORDS_POWER = 1.5  # one message with all words of a question counts more than two with half of them
BARE = 4  # lexemes; a shorter message needs its context
LONGEST = 2**32  # messages of a conversation: sequence numbers have 32 bits

Values: TypeAlias = npt.NDArray[np.float64]  # one number for each passage


class Ranked(NamedTuple):
    passage: Passage
    #: Scores compare within one query only.
    score: float


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """The question and its words, as passages are scored against them."""

    question: Question
    #: The question's lexemes, each with its weight.
    words: Mapping[str, float]
    #: The weight of the question's words that no message contains.
    unsaid_weight: float = 0.0
    #: The lexemes that name the question's temporal anchor.
    anchor_words: Collection[str] = ()
    #: The question's token vectors, as signs. None: only whole texts are compared.
    token_signs: Signs | None = None
    #: What similarities to the question mean. It does not depend on what was found.
    calibration: Calibration = ENGLISH_MINILM


def rank_passages(
    passages: Sequence[Passage], criteria: Criteria, weights: Weights = WEIGHTS
) -> list[Ranked]:
    """The passages, best first. Candidates and their neighbours are ranked alike."""
    if not passages:
        return []
    passages = sorted(
        passages, key=lambda passage: (passage.conversation_id, passage.sequence_number)
    )
    if criteria.question.asks_for_topics and criteria.question.dates:
        weights = for_topics(weights)
    neighbours = Neighbours(passages)
    similarities = _similarities(passages, criteria, weights)
    scores = (
        criteria.calibration.trust * _score_meaning(similarities, neighbours, weights)
        + weights.standing * similarities * _flags(passage.is_standing for passage in passages)
        + _score_words(_bm25_shares(passages, criteria.words), neighbours, weights)
        + (
            _score_traits(passages, criteria.question, weights)
            + _score_side(passages, criteria, weights)
        )
    )
    scores += _score_occasion(passages, scores, criteria.question, weights)
    best_shares = _shares(neighbours.best_of_conversation(scores))
    if criteria.question.asks_for_whole:  # what answers it is spread over many conversations
        best_shares /= neighbours.place_in_conversation(scores)
    scores += weights.conversation * best_shares
    order = np.argsort(-scores, kind="stable")
    return [Ranked(passages[index], float(scores[index])) for index in order]


def add_context(best: Sequence[Ranked], ranked: Sequence[Ranked]) -> list[Ranked]:
    """`best`, and before each very short message ("Yes, I did!") its predecessor from `ranked`."""
    if all(hit.passage.length >= BARE for hit in best):
        return list(best)
    known = {key_of(hit.passage): hit for hit in ranked}
    added: dict[MessageKey, Ranked] = {}
    for hit in best:
        key = key_of(hit.passage)
        added.setdefault(key, hit)
        before = known.get(key._replace(sequence_number=key.sequence_number - 1))
        if hit.passage.length < BARE and before is not None:
            added.setdefault(key_of(before.passage), before._replace(score=hit.score))
    return list(added.values())


def key_of(passage: Passage) -> MessageKey:
    return MessageKey(passage.conversation_id, passage.sequence_number)


class Neighbours:
    """Finds values of neighbouring passages in the same conversation."""

    def __init__(self, ordered: Sequence[Passage]) -> None:
        indexes: dict[str, int] = {}
        self._conversations = np.array(
            [indexes.setdefault(passage.conversation_id, len(indexes)) for passage in ordered]
        )
        self._keys = self._conversations * LONGEST + [
            passage.sequence_number for passage in ordered
        ]

    def shift(self, values: Values, steps: int | npt.NDArray[np.int64]) -> Values:
        """For each passage the value of the passage `steps` messages later; 0 if there is none.

        A column of `steps` gives a row for each step.
        """
        keys = self._keys + steps
        indexes = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        shifted: Values = np.where(self._keys[indexes] == keys, values[indexes], 0.0)
        return shifted

    def best_of_conversation(self, scores: Values) -> Values:
        """For each passage the best score in its conversation, at least 0."""
        best = np.zeros(len(scores))
        np.maximum.at(best, self._conversations, scores)
        spread: Values = best[self._conversations]
        return spread

    def place_in_conversation(self, scores: Values) -> npt.NDArray[np.int64]:
        """For each passage its place in its conversation, by score. The best has 1."""
        order = np.lexsort((-scores, self._conversations))
        conversations = self._conversations[order]
        places = np.empty(len(scores), np.int64)
        places[order] = np.arange(len(scores)) - np.searchsorted(conversations, conversations) + 1
        return places


def _similarities(passages: Sequence[Passage], criteria: Criteria, weights: Weights) -> Values:
    """Similarities of whole texts, mixed with those of token vectors where both sides have them."""
    floor, unrelated_tokens = criteria.calibration.floor, criteria.calibration.unrelated_tokens
    whole = _shares([(passage.similarity or floor) - floor for passage in passages])
    if criteria.token_signs is None:
        return whole
    token_scores = token_similarities(
        criteria.token_signs, [passage.token_signs for passage in passages]
    )
    by_token = _shares([(score or unrelated_tokens) - unrelated_tokens for score in token_scores])
    token_share = np.array([0.0 if score is None else weights.tokens for score in token_scores])
    similarities: Values = (1 - token_share) * whole + token_share * by_token
    return similarities


def _score_meaning(similarities: Values, neighbours: Neighbours, weights: Weights) -> Values:
    reach = np.arange(-REACH, REACH + 1)[:, None]
    around: Values = neighbours.shift(similarities, reach).max(axis=0)
    return (
        weights.meaning * similarities
        + weights.around * around
        + weights.next_meaning * neighbours.shift(similarities, 1)
    )


def _bm25_shares(passages: Sequence[Passage], words: Mapping[str, float]) -> Values:
    mean_length = fmean(passage.length for passage in passages) or 1.0
    shares = _shares(
        [bm25(passage.matched, words, passage.length, mean_length) for passage in passages]
    )
    powers: Values = shares**WORDS_POWER
    return powers


def _score_words(shares: Values, neighbours: Neighbours, weights: Weights) -> Values:
    beside = neighbours.shift(shares, -1) + neighbours.shift(shares, 1)
    return weights.words * shares + weights.beside_words * beside


def _score_traits(passages: Sequence[Passage], question: Question, weights: Weights) -> Values:
    """Scores for properties of a message besides its words: speaker, time, form and length."""
    lengths = np.array([passage.length for passage in passages])
    return (
        weights.speaker * _flags(_is_by_speaker(passage, question) for passage in passages)
        + _score_dates(passages, question, weights)
        - weights.is_question * _flags(_only_asks(passage) for passage in passages)
        + weights.length * np.minimum(1.0, lengths / LONG_ENOUGH)
        + weights.has_number * _flags(passage.has_number for passage in passages)
    )


def _score_dates(passages: Sequence[Passage], question: Question, weights: Weights) -> Values:
    """Scores for messages that were said at a time that the question names."""
    if not question.dates:
        return np.zeros(len(passages))
    days = [to_local(passage.said_at, question.zone).date() for passage in passages]
    in_month = _flags(any(time.matches_month(day) for time in question.dates) for day in days)
    on_day = np.array([max(time.day_share(day) for time in question.dates) for day in days])
    return weights.month * in_month + weights.day * on_day


def _score_side(passages: Sequence[Passage], criteria: Criteria, weights: Weights) -> Values:
    """Scores for messages on the asked side of the temporal anchor, if its time is known."""
    anchor, zone, words = criteria.question.anchor, criteria.question.zone, criteria.words
    anchor_words = {word: weight for word, weight in words.items() if word in criteria.anchor_words}
    instant = date_anchor(passages, anchor_words) if anchor else None
    if anchor is None or instant is None:
        return np.zeros(len(passages))
    return weights.side * _flags(
        is_on_side(passage.said_at, instant, anchor.side, zone) for passage in passages
    )


def _score_occasion(
    passages: Sequence[Passage], scores: Values, question: Question, weights: Weights
) -> Values:
    """Scores for the earliest, or the latest, of the messages that answer about equally well."""
    if question.occasion is None:
        return np.zeros(len(passages))
    times = np.array([passage.said_at.timestamp() for passage in passages])
    is_good = scores >= GOOD_SHARE * scores.max()
    earliest, latest = times[is_good].min(), times[is_good].max()
    lateness = (times - earliest) / ((latest - earliest) or 1.0)
    closeness = lateness if question.occasion == "last" else 1 - lateness
    scored: Values = weights.occasion * np.clip(closeness, 0.0, 1.0) * is_good
    return scored


def _is_by_speaker(passage: Passage, question: Question) -> bool:
    """Whether the right speaker said it. If the question names nobody: not the assistant.

    The assistant's replies are long, and say much.
    """
    if question.speaker is not None and passage.name is not None:
        return passage.name == question.speaker
    if question.role is None:
        return passage.name is not None or passage.role != "assistant"
    return passage.role == question.role


def _only_asks(passage: Passage) -> bool:
    """Whether a message only asks, unlike "I moved to Ulm … Can you help me?"."""
    return passage.is_question and passage.length < LONG_ENOUGH


def _flags(claims: Iterable[bool]) -> Values:
    """The flags as numbers: 1 for true, 0 for false."""
    return np.array(list(claims), dtype=np.float64)


def _shares(measured: Sequence[float] | Values) -> Values:
    """Each value as a share of the largest value; negative values as 0."""
    values = np.maximum(0.0, measured)
    most: float = values.max() or 1.0
    shares: Values = values / most
    return shares

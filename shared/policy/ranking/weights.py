"""The weights of retrieval, in one place.

The weights are round numbers on purpose: each was left out, halved and doubled on LoCoMo, and small
changes mattered little. `python -m bench.recall` shows the effect of a change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What each property of a message adds to its score."""

    #: Similarity of the message to the question.
    meaning: float = 1.0
    #: The share of `meaning` that is measured token by token.
    tokens: float = 0.5
    #: The highest similarity among the message and its neighbours.
    around: float = 0.75
    #: Similarity of the next message.
    next_meaning: float = 0.25
    #: BM25 of the message.
    words: float = 0.5
    #: BM25 of the message before, and of the one after.
    beside_words: float = 0.125
    #: The message is by the person whom the question is about, or not by the assistant.
    speaker: float = 0.75
    #: The message is from the month or year that the question names.
    month: float = 0.75
    #: The message is from the day that the question names, or from a day beside it.
    day: float = 0.75
    #: The message is from the time before or after the temporal anchor, or from its day.
    side: float = 0.25
    #: The message is the earliest, or the latest, about what the question asks.
    occasion: float = 0.5
    #: Subtracted if the message does little else than ask, because questions tell little.
    is_question: float = 0.3
    #: Similarity of a message that holds for good: it may be asked for by its topic alone.
    standing: float = 0.5
    #: The length of the message, because "Yes!" tells little, too.
    length: float = 0.05
    #: The message contains a time or a number, and the question asks for one.
    has_number: float = 0.2
    #: The best score in the message's conversation, divided by the message's place in it if the
    #: question is about the whole time.
    conversation: float = 1.0


@dataclass(frozen=True, kw_only=True)
class EpisodeWeights:
    """What each kind of search adds to the score of an episode."""

    #: The best score among the episode's messages.
    messages: float = 1.0
    #: Similarity of the summary to the question.
    meaning: float = 0.05
    #: Words that the summary shares with the question.
    words: float = 0.1


TOPICS_SHARE = 0.2  # of the weights of words and meaning, where a question asks for topics


def for_topics(weights: Weights) -> Weights:
    """For "what did we talk about on 3 May?": the day counts, hardly what the question is like.

    Long messages are preferred, because they tell, where a short one announces.
    """
    less = ("meaning", "around", "next_meaning", "words", "beside_words", "speaker", "conversation")
    lowered = {name: TOPICS_SHARE * getattr(weights, name) for name in less}
    return replace(weights, length=10 * weights.length, day=2 * weights.day, **lowered)


WEIGHTS = Weights()
EPISODE_WEIGHTS = EpisodeWeights()

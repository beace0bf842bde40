"""The weights of recall, in one place.

Round on purpose: `python -m bench.recall_weights` and `python -m bench.recall_episodes` show what
each is worth, and that no nearby value matters much.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Weights:
    meaning: float = 1.0  # the message itself is near the question
    tokens: float = 0.5  # the share of this that is measured word by word
    around: float = 0.75  # the nearest message within a few places: the talk is about it
    next_meaning: float = 0.25  # what was said right after
    words: float = 0.5  # BM25 over the message's words
    beside_words: float = 0.125  # the same of the message before, and of the one after
    speaker: float = 0.5  # it was said by whom the question is about
    month: float = 0.75  # it was said in the month or year that the question names
    day: float = 0.75  # or within a day of the day
    side: float = 0.25  # it was said before (or after) what the question names as a landmark
    asks: float = 0.2  # taken off what ends in a question: it tells little itself
    length: float = 0.1  # a bare "Yes!" tells little either
    tells: float = 0.2  # it holds a time or a number, where one is asked for
    conversation: float = 0.75  # the best message of its conversation


@dataclass(frozen=True, kw_only=True)
class EpisodeWeights:
    messages: float = 1.0  # the best of its messages
    meaning: float = 0.05  # its summary is near the question
    words: float = 0.1  # and shares words with it


WEIGHTS = Weights()
EPISODE_WEIGHTS = EpisodeWeights()

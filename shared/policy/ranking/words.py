"""Weigh the words of a question: BM25 from counts that are cheap even for many messages.

Term frequency is left out: a message contains a word or does not. Messages are short, and term
frequency changed nothing on LoCoMo.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from shared.policy.folding import fold

K1 = 1.2
B = 0.75
#: Of the weight of a word: what its spelling adds. Messages that spell it so rank before others.
SPELLING = 0.3


def weigh_words(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """The inverse document frequency of each word with a count above 0.

    `counts` says how many of the `total` messages contain a word. Counting may stop at a limit.
    Then a frequent word gets a little more weight, which does no harm.
    """
    return {
        word: math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))
        * (SPELLING if _is_spelling(word) else 1)
        for word, count in counts.items()
        if count > 0
    }


def weigh_unsaid(counts: Mapping[str, int], total: int) -> float:
    """The weights of the words that no message contains, together.

    They tell a question about something that was never said from one about something that was.
    """
    unsaid = sum(count == 0 and not _is_spelling(word) for word, count in counts.items())
    return unsaid * math.log(1 + (total + 0.5) / 0.5)


def choose_words(counts: Mapping[str, int], limit: int) -> list[str]:
    """The rarest words, at least one, that together occur in at most `limit` messages.

    The other words still count in the scores of the messages that these words find.
    """
    chosen: list[str] = []
    total = 0
    counted_words = [
        (count, word) for word, count in counts.items() if count > 0 and not _is_spelling(word)
    ]
    for count, word in sorted(counted_words):
        total += count
        if chosen and total > limit:
            break
        chosen.append(word)
    return chosen


def bm25(
    matched: Collection[str], weights: Mapping[str, float], length: int, mean_length: float
) -> float:
    """The score of a message with the `matched` words. A length counts different words."""
    if not matched:
        return 0.0
    norm = (K1 + 1) / (1 + K1 * (1 - B + B * length / mean_length))
    return norm * sum(weights.get(word, 0.0) for word in matched)


def _is_spelling(lexeme: str) -> bool:
    """Whether it stands beside another lexeme, its folded form."""
    return fold(lexeme) != lexeme

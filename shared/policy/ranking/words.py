"""What a question's words weigh: BM25, from counts that stay cheap for a user of any size.

Messages are short, so whether a word occurs stands for how often it does; measured on LoCoMo
that changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

K1 = 1.2
B = 0.75


def weigh_words(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """Each word's inverse document frequency; `counts` says how many of `total` messages hold it.

    A count that was cut off at a limit makes a frequent word weigh a little more, no worse.
    Words that nobody has said weigh nothing.
    """
    return {
        word: math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))
        for word, count in counts.items()
        if count > 0
    }


def choose_words(counts: Mapping[str, int], limit: int) -> list[str]:
    """The rarest words, as many as some `limit` messages hold together, and one at least.

    The others still count for what the rare ones find.
    """
    chosen: list[str] = []
    held = 0
    said = [(count, word) for word, count in counts.items() if count > 0]
    for count, word in sorted(said):
        held += count
        if chosen and held > limit:
            break
        chosen.append(word)
    return chosen


def bm25(
    held: Collection[str], weights: Mapping[str, float], length: int, mean_length: float
) -> float:
    """`length` and `mean_length` in different words a message."""
    if not held:
        return 0.0
    norm = (K1 + 1) / (1 + K1 * (1 - B + B * length / mean_length))
    return norm * sum(weights.get(word, 0.0) for word in held)

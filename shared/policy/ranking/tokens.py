"""How near two texts are word by word: MaxSim (ColBERT, SIGIR 2020) over signs of token vectors.

Each token of the question is compared with the nearest of a message's. A sign a number, 48 bytes
a token instead of 1,536, orders messages as well as the numbers do (docs/retrieval.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

MOST_ASKED = 64  # tokens of the question: a page pasted into it must not take a second
WORD = 8  # bytes that are compared at once

Signs: TypeAlias = npt.NDArray[np.uint8]  # (tokens, bytes a token)


def token_similarities(
    asked: Signs, messages: Sequence[bytes | memoryview | None]
) -> list[float | None]:
    """About -1 to 1 for each message; None without tokens on either side.

    `messages` hold rows as wide as `asked`, one after the other.
    """
    asked = asked[:MOST_ASKED]
    found: list[float | None] = [None] * len(messages)
    known = [at for at, signs in enumerate(messages) if signs]
    if not len(asked) or not known:
        return found
    rows = np.frombuffer(b"".join(messages[at] or b"" for at in known), np.uint8)
    counts = [len(messages[at] or b"") // asked.shape[1] for at in known]
    starts = np.cumsum([0, *counts[:-1]])
    differing = _differing(asked, rows.reshape(-1, asked.shape[1]))
    nearest = np.minimum.reduceat(differing, starts, axis=1)
    similarities = 1 - nearest.mean(axis=0) / (4 * asked.shape[1])
    for at, similarity in zip(known, similarities, strict=True):
        found[at] = float(similarity)
    return found


def _differing(ours: Signs, theirs: Signs) -> npt.NDArray[np.uint16]:
    """How many signs differ between each of `ours` and each of `theirs`."""
    left, right = _words(ours), _words(theirs)
    differing = np.zeros((left.shape[1], right.shape[1]), np.uint16)
    for mine, word in zip(left, right, strict=True):
        differing += np.bitwise_count(mine[:, None] ^ word)
    return differing


def _words(signs: Signs) -> npt.NDArray[Any]:
    """Transposed: the same word of all tokens side by side, which is compared fastest."""
    signs = np.ascontiguousarray(signs)
    words = signs.view(np.uint64) if signs.shape[1] % WORD == 0 else signs
    return np.ascontiguousarray(words.T)

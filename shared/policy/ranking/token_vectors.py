"""Compare texts token by token: MaxSim (ColBERT, SIGIR 2020) over the signs of token vectors.

Each token of the question is compared with the most similar token of the message. Only the sign of
each number is kept. It ranks as well, with 48 bytes a token instead of 1,536 (docs/retrieval.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shared.models import Signs

MOST_ASKED = 64  # tokens of the question; otherwise a pasted page would take too long
WORD_BYTES = 8  # bytes compared at once


def token_similarities(
    question_signs: Signs, messages: Sequence[bytes | memoryview | None]
) -> list[float | None]:
    """The similarity of each message, -1 to 1. None: the message or the question has no tokens.

    `messages` holds the rows of each message as bytes. Each row is as wide as a row of
    `question_signs`.
    """
    question_signs = question_signs[:MOST_ASKED]
    by_message: list[float | None] = [None] * len(messages)
    known = [index for index, signs in enumerate(messages) if signs]
    if not len(question_signs) or not known:
        return by_message
    rows = np.frombuffer(b"".join(messages[index] or b"" for index in known), np.uint8)
    counts = [len(messages[index] or b"") // question_signs.shape[1] for index in known]
    starts = np.cumsum([0, *counts[:-1]])
    differing = _differing(question_signs, rows.reshape(-1, question_signs.shape[1]))
    nearest = np.minimum.reduceat(differing, starts, axis=1)
    similarities = 1 - nearest.mean(axis=0) / (4 * question_signs.shape[1])
    for index, similarity in zip(known, similarities, strict=True):
        by_message[index] = float(similarity)
    return by_message


def _differing(ours: Signs, theirs: Signs) -> npt.NDArray[np.uint16]:
    """Hamming distances: how many signs differ between each row of `ours` and each of `theirs`."""
    left, right = _words(ours), _words(theirs)
    differing = np.zeros((left.shape[1], right.shape[1]), np.uint16)
    for mine, word in zip(left, right, strict=True):
        differing += np.bitwise_count(mine[:, None] ^ word)
    return differing


def _words(signs: Signs) -> npt.NDArray[Any]:
    """`signs` transposed: the same word of all tokens lies side by side, for a fast comparison."""
    signs = np.ascontiguousarray(signs)
    words = signs.view(np.uint64) if signs.shape[1] % WORD_BYTES == 0 else signs
    return np.ascontiguousarray(words.T)

"""What a model makes of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Signs: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """`vector` is the whole text's: length 1, float32, shape (dimension,).

    `token_signs` are the signs of its tokens' vectors, a bit a number: uint8, shape (tokens,
    bytes a token). No special tokens; no rows at all of a model that has no token vectors.
    """

    vector: Vector
    token_signs: Signs


def signs_of(token_vectors: np.ndarray[Any, Any]) -> Signs:
    """`token_vectors` has the shape (tokens, numbers a token)."""
    import numpy as np

    return np.packbits(token_vectors > 0, axis=1)

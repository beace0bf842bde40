"""The vectors that an embedding model makes from a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Signs: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """One text's vectors."""

    #: The whole text: float32, shape (dimension,), length 1.
    vector: Vector
    #: The signs of the token vectors, one bit per number: uint8, shape (tokens, bytes per token).
    #: Special tokens are left out. A model without token vectors gives no rows.
    token_signs: Signs

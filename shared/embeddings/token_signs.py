"""Token vectors, kept as one bit a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from shared.models import Signs


def signs_of(token_vectors: np.ndarray[Any, Any]) -> Signs:
    """`token_vectors` has the shape (tokens, numbers a token)."""
    import numpy as np

    return np.packbits(token_vectors > 0, axis=1)

"""Binary quantization of token vectors: one bit a number, its sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from shared.models import Signs


def signs_of(token_vectors: np.ndarray[Any, Any]) -> Signs:
    """The packed signs of `token_vectors`, whose shape is (tokens, dimension)."""
    import numpy as np

    return np.packbits(token_vectors > 0, axis=1)

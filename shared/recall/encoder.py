"""The encoder of queries, as retrieval uses it."""

from __future__ import annotations

from typing import Protocol

from shared.models import Encoded

ENCODE_TIMEOUT_S = 0.5


class Encoder(Protocol):
    """Embeds queries one at a time."""

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        """None: it is not possible now or in time. Then the search uses only words."""

    def knows(self, word: str) -> bool:
        """Whether the word is in the model's vocabulary. Such a word is no typing error."""

"""The encoder of queries, as retrieval uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from shared.models import Encoded

ENCODE_TIMEOUT_S = 0.5

#: Waits for so many seconds at most, and gives what `Encoder.encode` gives.
Wait: TypeAlias = Callable[[float], Encoded | None]


class Encoder(Protocol):
    """Embeds queries one at a time."""

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        """The vectors of a text. None: they are not ready in time."""

    def begin(self, text: str) -> Wait:
        """Embed the query while the caller does something else."""

    def knows(self, word: str) -> bool:
        """Whether the word is in the model's vocabulary. Such a word is no typing error."""


def begin_early(encoder: Encoder, text: str) -> Encoder:
    """Begin to embed `text`. The returned encoder has the result when it is asked for it."""
    try:
        return _BegunEncoder(encoder, text, encoder.begin(text))
    except Exception:  # recall asks again, and reports it
        return encoder


@dataclass(frozen=True)
class _BegunEncoder:
    """`text` is being embedded; everything else is asked of `encoder`."""

    encoder: Encoder
    text: str
    begun: Wait

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        return self.begin(text)(timeout_s)

    def begin(self, text: str) -> Wait:
        return self.begun if text == self.text else self.encoder.begin(text)

    def knows(self, word: str) -> bool:
        return self.encoder.knows(word)

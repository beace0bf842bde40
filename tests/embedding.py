"""Embedding without workers, for tests and benches."""

from __future__ import annotations

from functools import partial

from shared.derivations.embedding import embed_batch
from shared.embeddings.bulk_encoder import encode_queries
from shared.models import Encoded
from shared.recall.encoder import Wait
from shared.services import Services


class BulkEncoder:
    """The workers' model instead of the web encoder. Another test holds the two equal."""

    def __init__(self, product: Services) -> None:
        self._settings = product.settings

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        return encode_queries([text], self._settings)[0]

    def begin(self, text: str) -> Wait:
        return partial(self.encode, text)

    def knows(self, word: str) -> bool:
        return False


def embed_pending(services: Services) -> int:
    """Embed until nothing is left. Returns how many texts were embedded."""
    done = 0
    while embedded := embed_batch(services):
        done += embedded
    return done

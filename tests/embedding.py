"""Embedding without workers, for tests and benches."""

from __future__ import annotations

from shared.derivations.embedding import embed_batch
from shared.services import Services


def embed_pending(services: Services) -> int:
    """Embed until nothing is left. Returns how many texts were embedded."""
    done = 0
    while embedded := embed_batch(services):
        done += embedded
    return done

"""Vectors, in the process that holds the embedding model."""

from __future__ import annotations

from shared.broker import EMBED
from shared.derivations.embedding import embed_portion
from shared.services import current_services
from workers.app import app


@app.task(name=EMBED, acks_late=True, ignore_result=True)
def embed_what_is_pending() -> None:
    embed_portion(current_services())

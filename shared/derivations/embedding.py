"""Vectors for what has none yet, in batches.

There is nothing to claim: the missing vector is the work, writing one twice does no harm, and
whatever was left behind is found by the next task, or by the sweep.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from shared.db import Database
from shared.embeddings import encode_texts, model_name
from shared.services import Services
from shared.settings import Settings, SettingsError
from shared.store import episodes

logger = logging.getLogger(__name__)

BATCH = 32


def check_stored_model(database: Database, settings: Settings) -> None:
    """Raises `SettingsError` when all vectors are another model's: nothing would be found.

    Where both occur a change is under way, and is let pass.
    """
    name = model_name(settings)
    with database.transaction() as connection:
        other = episodes.find_other_model(connection, name)
        if other is None or episodes.has_model(connection, name):
            return
    raise SettingsError(
        f"EMBEDDING_MODEL: the database holds vectors of {other}, and none of {name}. "
        f"Set EMBEDDING_MODEL back, or replace them first: python -m workers.reembed"
    )


def embed_pending(services: Services) -> int:
    """Embed until nothing is pending. Returns how many were embedded."""
    done = 0
    while batch := _list_pending(services):
        _embed(services, batch)
        done += len(batch)
    return done


def embed_again(services: Services) -> int:
    """Replace the vectors of other models by this one's, while the system runs."""
    done = after_id = 0
    name = model_name(services.settings)
    while True:
        with services.database.transaction() as connection:
            batch = episodes.list_embedded_otherwise(
                connection, name, after_id=after_id, limit=BATCH
            )
        if not batch:
            return done
        _embed(services, batch)
        after_id = batch[-1][0]
        done += len(batch)


def _list_pending(services: Services) -> list[tuple[int, str]]:
    with services.database.transaction() as connection:
        return episodes.list_unembedded(connection, BATCH)


def _embed(services: Services, batch: Sequence[tuple[int, str]]) -> None:
    name = model_name(services.settings)
    vectors = encode_texts([text for _, text in batch], services.settings)
    with services.database.transaction() as connection:
        for (episode_id, _), vector in zip(batch, vectors, strict=True):
            episodes.set_embedding(connection, episode_id, vector, name)
    logger.info("Embedded %s episodes with %s", len(batch), name)

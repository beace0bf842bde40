"""Vectors for what has none yet, in batches: messages one by one, and episodes.

There is nothing to claim: the missing vector is the work, writing one twice does no harm, and
whatever was left behind is found by the next task, or by the sweep.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from shared.broker import send_embedding
from shared.db import Database, PgConnection
from shared.embeddings import encode_texts, encode_with_tokens, model_name
from shared.services import Services
from shared.settings import Settings, SettingsError
from shared.store.search import episode_vectors, message_vectors

logger = logging.getLogger(__name__)

BATCH = 32
AGAIN_BATCH = 1000
PORTION_S = 2.0  # of one task; then the worker may look after something else
# More than any model of this size reads; the words of what follows are found all the same.
MAX_CHARS = 4000


def check_stored_model(database: Database, settings: Settings) -> None:
    """Raises `SettingsError` when all vectors are another model's: nothing would be found.

    Where both occur a change is under way, and is let pass.
    """
    name = model_name(settings)
    with database.transaction() as connection:
        for table in (episode_vectors, message_vectors):
            other = table.find_other_model(connection, name)
            if other is not None and not table.has_model(connection, name):
                break
        else:
            return
    raise SettingsError(
        f"EMBEDDING_MODEL: the database holds vectors of {other}, and none of {name}. "
        f"Set EMBEDDING_MODEL back, or replace them first: python -m workers.reembed"
    )


def is_anything_unembedded(connection: PgConnection) -> bool:
    return bool(
        episode_vectors.list_unembedded(connection, 1)
        or message_vectors.list_unembedded(connection, 1, max_chars=1)
    )


def embed_pending(services: Services) -> int:
    """Embed until nothing is pending. Returns how many were embedded."""
    return _embed_episodes(services) + _embed_messages(services)


def embed_portion(services: Services) -> None:
    """Embed some of what is pending, and send a task for the rest."""
    until = time.monotonic() + PORTION_S
    while _embed_some_episodes(services) + _embed_some_messages(services):
        if time.monotonic() > until:
            send_embedding(services.broker)
            return


def embed_again(services: Services) -> int:
    """Replace the vectors of other models by this one's, while the system runs."""
    done = after_id = 0
    name = model_name(services.settings)
    while True:
        with services.database.transaction() as connection:
            batch = episode_vectors.list_embedded_otherwise(
                connection, name, after_id=after_id, limit=BATCH
            )
        if not batch:
            return done + _embed_messages_again(services, name)
        _embed(services, batch)
        after_id = batch[-1][0]
        done += len(batch)


def _embed_messages_again(services: Services, name: str) -> int:
    """In portions, so that a worker of the older model finds little to do at once."""
    done = 0
    while True:
        with services.database.transaction() as connection:
            listed = message_vectors.list_of_other_models(connection, name, AGAIN_BATCH)
        if not listed:
            return done
        done += _embed_messages(services)


def _embed_messages(services: Services) -> int:
    done = 0
    while some := _embed_some_messages(services):
        done += some
    return done


def _embed_some_messages(services: Services) -> int:
    name = model_name(services.settings)
    with services.database.transaction() as connection:
        batch = message_vectors.list_unembedded(connection, BATCH, MAX_CHARS)
    if batch:
        encoded = encode_with_tokens([one.text for one in batch], services.settings)
        with services.database.transaction() as connection:
            message_vectors.set_embeddings(connection, list(zip(batch, encoded, strict=True)), name)
        logger.info("messages.embedded", extra={"count": len(batch), "model": name})
    return len(batch)


def _embed_episodes(services: Services) -> int:
    done = 0
    while some := _embed_some_episodes(services):
        done += some
    return done


def _embed_some_episodes(services: Services) -> int:
    with services.database.transaction() as connection:
        batch = episode_vectors.list_unembedded(connection, BATCH)
    if batch:
        _embed(services, batch)
    return len(batch)


def _embed(services: Services, batch: Sequence[tuple[int, str]]) -> None:
    name = model_name(services.settings)
    vectors = encode_texts([text for _, text in batch], services.settings)
    with services.database.transaction() as connection:
        for (episode_id, _), vector in zip(batch, vectors, strict=True):
            episode_vectors.set_embedding(connection, episode_id, vector, name)
    logger.info("episodes.embedded", extra={"count": len(batch), "model": name})

"""Vectors for messages and episodes that have none yet, in batches.

There are no jobs to claim: a text without a vector is the work to do. Writing a vector twice does
no harm. The next task or the sweep finds texts that were missed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from shared.broker import send_embedding
from shared.db import Database, PgConnection
from shared.embeddings import encode_texts, encode_with_tokens, former_defaults, model_name
from shared.services import Services
from shared.settings import Settings, SettingsError
from shared.store.search import episode_vectors, message_vectors

logger = logging.getLogger(__name__)

BATCH = 32
REEMBED_BATCH = 1000
PORTION_S = 2.0  # one task works so long, then the worker can do other tasks
# More than any model of this size reads. Full-text search finds the words after that.
MAX_CHARS = 4000


def check_stored_model(database: Database, settings: Settings) -> None:
    """Raises `SettingsError` if a table has only vectors of other models, which search ignores.

    Vectors of both models mean that re-embedding is under way. Those of a former default are
    replaced by the workers, without being asked.
    """
    name = model_name(settings)
    with database.transaction() as connection:
        other = None
        if not episode_vectors.has_model(connection, name):
            other = episode_vectors.find_other_model(connection, name)
        if other is None and not message_vectors.has_model(connection, name):
            other = message_vectors.find_other_model(connection, name)
    if other is not None and other not in former_defaults(settings):
        raise SettingsError(
            f"EMBEDDING_MODEL: the database holds vectors of {other}, and none of {name}. "
            f"Set EMBEDDING_MODEL back, or replace them first: python -m workers.reembed"
        )


def is_anything_unembedded(connection: PgConnection, settings: Settings) -> bool:
    return bool(
        episode_vectors.list_unembedded(connection, 1)
        or message_vectors.list_unembedded(connection, 1, max_chars=1)
        or _has_former_vectors(connection, settings)
    )


def embed_portion(services: Services) -> None:
    """Embed texts for `PORTION_S`. If some are left, send a task for them."""
    until = time.monotonic() + PORTION_S
    while embed_batch(services):
        if time.monotonic() > until:
            send_embedding(services.broker)
            return


def embed_batch(services: Services) -> int:
    """Embed up to `BATCH` episodes and `BATCH` messages. Returns their number; 0: all are done."""
    embedded = _embed_episodes(services) + _embed_messages(services)
    return embedded or _replace_former_vectors(services)


def reembed(services: Services) -> int:
    """Replace the vectors of other models by vectors of this model, while the system runs.

    Returns how many texts were embedded.
    """
    return _reembed_episodes(services) + _reembed_messages(services)


def _replace_former_vectors(services: Services) -> int:
    """Replace some vectors of a former default: first of episodes, then of messages."""
    name = model_name(services.settings)
    with services.database.transaction() as connection:
        if not _has_former_vectors(connection, services.settings):
            return 0
        batch = episode_vectors.list_with_other_model(connection, name, after_id=0, limit=BATCH)
    if batch:
        _set_episode_vectors(services, batch)
        return len(batch)
    with services.database.transaction() as connection:
        message_vectors.list_of_other_models(connection, name, REEMBED_BATCH)
    return _embed_messages(services)


def _has_former_vectors(connection: PgConnection, settings: Settings) -> bool:
    """Whether messages have any. Episodes are replaced before them, so they need not be asked."""
    return any(message_vectors.has_model(connection, name) for name in former_defaults(settings))


def _reembed_episodes(services: Services) -> int:
    done = after_id = 0
    name = model_name(services.settings)
    while True:
        with services.database.transaction() as connection:
            batch = episode_vectors.list_with_other_model(
                connection, name, after_id=after_id, limit=BATCH
            )
        if not batch:
            return done
        _set_episode_vectors(services, batch)
        after_id = batch[-1][0]
        done += len(batch)


def _reembed_messages(services: Services) -> int:
    """In portions, so that a worker with the older model finds few messages without a vector."""
    done = 0
    name = model_name(services.settings)
    while True:
        with services.database.transaction() as connection:
            listed = message_vectors.list_of_other_models(connection, name, REEMBED_BATCH)
        if not listed:
            return done
        while embedded := _embed_messages(services):
            done += embedded


def _embed_messages(services: Services) -> int:
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
    with services.database.transaction() as connection:
        batch = episode_vectors.list_unembedded(connection, BATCH)
    if batch:
        _set_episode_vectors(services, batch)
    return len(batch)


def _set_episode_vectors(services: Services, batch: Sequence[tuple[int, str]]) -> None:
    """`batch` has pairs of an episode's id and its text."""
    name = model_name(services.settings)
    vectors = encode_texts([text for _, text in batch], services.settings)
    with services.database.transaction() as connection:
        for (episode_id, _), vector in zip(batch, vectors, strict=True):
            episode_vectors.set_embedding(connection, episode_id, vector, name)
    logger.info("episodes.embedded", extra={"count": len(batch), "model": name})

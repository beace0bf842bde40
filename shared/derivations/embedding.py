"""Vectors for messages, episodes and passages of files that have none yet, in batches.

There are no jobs to claim: a text without a vector is the work to do. Writing a vector twice does
no harm. The next task or the sweep finds texts that were missed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from shared.broker.sending import send_embedding
from shared.derivations.file_passages import (
    cut_files,
    embed_passages,
    reembed_passages,
)
from shared.embeddings.bulk_encoder import encode_texts, encode_with_tokens
from shared.embeddings.model_properties import model_name
from shared.models import UserId
from shared.services import Services
from shared.store.search import episode_vectors, message_vectors, passage_vectors
from shared.store.search.message_vectors import Unembedded
from shared.store.search.unembedded import find_waiting

logger = logging.getLogger(__name__)

BATCH = 32
REEMBED_BATCH = 1000
PORTION_S = 2.0  # one task works so long, then the worker can do other tasks
# More than any model of this size reads. Full-text search finds the words after that.
MAX_CHARS = 4000


def embed_portion(services: Services) -> None:
    """Embed texts for `PORTION_S`. If some are left, send a task for them."""
    until = time.monotonic() + PORTION_S
    while embed_batch(services):
        if time.monotonic() > until:
            send_embedding(services.broker)
            return


def embed_batch(services: Services) -> int:
    """Embed up to `BATCH` texts of each kind, and cut files. Returns how many; 0: all are done.

    Each kind gets its part, so that a long file does not wait for an import, nor new messages for a
    file.
    """
    with services.database.upkeep() as connection:
        waiting = find_waiting(connection)
    embedded = _embed_episodes(services) if waiting.episodes else 0
    embedded += _embed_messages(services) if waiting.messages else 0
    embedded += cut_files(services) if waiting.files else 0
    embedded += embed_passages(services) if waiting.files or waiting.passages else 0
    return embedded


def count_other_vectors(services: Services) -> int:
    """How many texts have a vector of another model, or wait for one."""
    name = model_name(services.settings)
    with services.database.upkeep() as connection:
        return (
            episode_vectors.count_with_other_model(connection, name)
            + message_vectors.count_of_other_models(connection, name)
            + passage_vectors.count_of_other_models(connection, name)
        )


def reembed(services: Services, on_progress: Callable[[int], None] = lambda _: None) -> int:
    """Replace the vectors of other models by vectors of this model, while the system runs.

    `on_progress` is called with how many more texts were embedded. Returns how many in all.
    """
    done = 0
    for count in chain(
        _reembed_episodes(services), _reembed_messages(services), reembed_passages(services)
    ):
        on_progress(count)
        done += count
    return done


def _reembed_episodes(services: Services) -> Iterator[int]:
    after_id = 0
    name = model_name(services.settings)
    while True:
        with services.database.upkeep() as connection:
            listed = episode_vectors.list_with_other_model(
                connection, name, after_id=after_id, limit=BATCH
            )
        if not listed:
            return
        yield _set_episode_vectors(services, listed)
        after_id = max(max(ids) for ids in listed.values())


def _reembed_messages(services: Services) -> Iterator[int]:
    """In portions, so that a worker with the older model finds few messages without a vector."""
    name = model_name(services.settings)
    while True:
        with services.database.upkeep() as connection:
            listed = message_vectors.list_of_other_models(connection, name, REEMBED_BATCH)
        if not listed:
            return
        while embedded := _embed_messages(services):
            yield embedded


def _embed_messages(services: Services) -> int:
    """Returns how many messages were on the list. All texts are encoded together."""
    name = model_name(services.settings)
    with services.database.upkeep() as connection:
        listed = message_vectors.list_unembedded(connection, BATCH)
    batch: list[tuple[UserId, Unembedded]] = []
    for user_id, tickets in listed.items():
        with services.database.transaction(user=user_id) as connection:
            read = message_vectors.read_unembedded(connection, tickets, MAX_CHARS)
        batch += [(user_id, message) for message in read]
    if batch:
        encoded = encode_with_tokens([message.text for _, message in batch], services.settings)
        done = list(zip(batch, encoded, strict=True))
        for user_id in listed:
            entries = [(message, vectors) for (owner, message), vectors in done if owner == user_id]
            with services.database.transaction(user=user_id) as connection:
                message_vectors.set_embeddings(connection, entries, name)
        logger.info("messages.embedded", extra={"count": len(batch), "model": name})
    return sum(len(tickets) for tickets in listed.values())


def _embed_episodes(services: Services) -> int:
    with services.database.upkeep() as connection:
        listed = episode_vectors.list_unembedded(connection, BATCH)
    return _set_episode_vectors(services, listed) if listed else 0


def _set_episode_vectors(services: Services, listed: Mapping[UserId, Sequence[int]]) -> int:
    """Make and store the vectors of episodes. `listed` has their ids by user. Returns how many."""
    name = model_name(services.settings)
    for user_id, ids in listed.items():
        with services.database.transaction(user=user_id) as connection:
            batch = episode_vectors.read_texts(connection, ids)
        vectors = encode_texts([text for _, text in batch], services.settings)
        with services.database.transaction(user=user_id) as connection:
            for (episode_id, _), vector in zip(batch, vectors, strict=True):
                episode_vectors.set_embedding(connection, episode_id, vector, name)
    count = sum(len(ids) for ids in listed.values())
    logger.info("episodes.embedded", extra={"count": count, "model": name})
    return count

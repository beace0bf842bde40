"""Deletes an episode. Its messages stay."""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.models import Thing, UserId
from shared.store import episodes
from shared.store.upkeep.receipts import Counts
from shared.user_data.erasure.receipts import Receipt


def erase_episode(
    connection: PgConnection, user_id: UserId, episode_id: int, *, dry_run: bool
) -> Receipt:
    """Erase an episode. Raises `NotFoundError`."""
    vectors = episodes.count_vectors(connection, user_id, episode_id)
    if not dry_run:
        episodes.delete_episode(connection, user_id, episode_id)
        record(connection, "episode.delete", user_id, Thing("episode", str(episode_id)))
    return Receipt(counts=Counts(episodes=1, vectors=vectors), dry_run=dry_run)

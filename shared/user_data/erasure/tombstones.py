"""Writes tombstones that Redis lacks because it was away at the deletion or was emptied since."""

from __future__ import annotations

from shared.ephemeral.tombstones import BATCH, find_epoch, rewrite_file, write_tombstones
from shared.services import Services
from shared.store import tombstones as store

REWRITE_PAUSE_S = 30


def write_missing_tombstones(services: Services) -> None:
    """Write missing tombstones. Then Redis rewrites its file, to remove deleted data from it."""
    epoch = find_epoch(services.redis)
    if epoch is None:
        return  # the next sweep asks again
    while _write_some(services, epoch) == BATCH:
        pass
    with services.database.upkeep() as connection:
        if store.is_rewrite_due(connection, REWRITE_PAUSE_S) and rewrite_file(services.redis):
            store.note_rewrite(connection)


def _write_some(services: Services, epoch: str) -> int:
    """Write one batch. Postgres notes the tombstones only if Redis has stored them."""
    with services.database.upkeep() as connection:
        missing = store.take_undelivered(connection, epoch, BATCH)
        if not write_tombstones(services.redis, missing):
            connection.rollback()
            return 0
    return len(missing)

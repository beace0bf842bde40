"""Deletions in Redis: drop deleted text, and keep late writers from restoring it.

A round may read before a deletion and write after it. The scripts that write turns and replies
check the tombstones in the same atomic step.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from secrets import token_hex

import redis
from redis.exceptions import RedisError

from shared.ephemeral.keys import RECENT, WHOLE, erased_key, reply_key, turns_key
from shared.metrics.counters import REDIS_FALLBACKS
from shared.policy.retry import LONGEST_LEASE_S
from shared.store.tombstones import Tombstone

logger = logging.getLogger(__name__)

TTL_S = int(2 * LONGEST_LEASE_S)  # longer than any writer may work
EPOCH_KEY = "erased:epoch"
BATCH = 500


def write_tombstones(client: redis.Redis, tombstones: Sequence[Tombstone]) -> bool:
    """Write tombstones and drop the deleted text in one atomic step. False without Redis."""
    try:
        for first in range(0, len(tombstones), BATCH):
            _write_batch(client, tombstones[first : first + BATCH])
    except RedisError:
        REDIS_FALLBACKS.labels(operation="erase").inc()
        return False
    return True


def find_epoch(client: redis.Redis) -> str | None:
    """The epoch of this Redis: a random name that changes when Redis is emptied.

    None without Redis.
    """
    try:
        client.set(EPOCH_KEY, token_hex(8), nx=True)
        return str(client.get(EPOCH_KEY))
    except RedisError:
        return None


def rewrite_file(client: redis.Redis) -> bool:
    """Ask for a new append-only file: the old one contains the deleted text.

    False: Redis is writing a file just now, or does not allow the command. Ask again later.
    """
    try:
        if client.info("persistence").get("aof_enabled"):
            client.bgrewriteaof()
    except RedisError as exc:
        logger.warning("erasure.file_not_rewritten", extra={"error": type(exc).__name__})
        return False
    return True


def _write_batch(client: redis.Redis, tombstones: Sequence[Tombstone]) -> None:
    with client.pipeline(transaction=True) as pipeline:
        for tombstone in tombstones:
            conversation_id, key = tombstone.conversation_id, erased_key(tombstone.conversation_id)
            field = WHOLE if tombstone.sequence is None else str(tombstone.sequence)
            pipeline.hset(key, field, str(tombstone.fencing_token))
            pipeline.expire(key, TTL_S)
            pipeline.unlink(
                turns_key(conversation_id),
                *(reply_key(conversation_id, reply) for reply in tombstone.replies),
            )
            if tombstone.sequence is None:
                pipeline.zrem(RECENT, conversation_id)
        pipeline.execute()

"""Redis is told what was deleted: it drops that, and takes nothing of it from late writers.

A round or a refill that read before the deletion may write after it. Both look at the mark and
write in one step, so that nothing passes between the two. Where Redis was away at the deletion,
or was emptied since and has lost its marks, the sweep tells it anew.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from secrets import token_hex

import redis
from redis.exceptions import RedisError

from shared.ephemeral.keys import RECENT, WHOLE, erased_key, reply_key, turns_key
from shared.metrics import REDIS_FALLBACKS
from shared.policy.retry import LONGEST_LEASE_S
from shared.services import Services
from shared.store import tombstones as store
from shared.store.tombstones import Tombstone

logger = logging.getLogger(__name__)

MARK_S = int(2 * LONGEST_LEASE_S)  # nobody is at anything that long
EPOCH_KEY = "erased:epoch"  # lost when Redis is emptied: then it has lost the marks, too
PORTION = 500
REWRITE_PAUSE_S = 30


def tell_redis(client: redis.Redis, erased: Iterable[Tombstone]) -> bool:
    """Mark and drop in one step. False: Redis is away, and the sweep will tell it."""
    told = list(erased)
    try:
        for first in range(0, len(told), PORTION):
            _tell(client, told[first : first + PORTION])
    except RedisError:
        REDIS_FALLBACKS.labels(operation="erase").inc()
        return False
    return True


def tell_untold(services: Services) -> None:
    """Tell Redis what it does not know, then have it forget what its file still holds."""
    try:
        epoch = _find_epoch(services.redis)
    except RedisError:
        return  # the next sweep asks again
    while _tell_some(services, epoch) == PORTION:
        pass
    with services.database.transaction() as connection:
        if store.is_rewrite_due(connection, REWRITE_PAUSE_S) and _rewrite_file(services.redis):
            store.note_rewrite(connection)


def _tell_some(services: Services, epoch: str) -> int:
    with services.database.transaction() as connection:
        untold = store.take_untold(connection, epoch, PORTION)
        _tell(services.redis, untold)  # its error undoes the marks in Postgres
    return len(untold)


def _tell(client: redis.Redis, erased: Sequence[Tombstone]) -> None:
    if not erased:
        return
    with client.pipeline(transaction=True) as pipeline:
        for one in erased:
            mark, own = erased_key(one.conversation_id), one.conversation_id
            field = WHOLE if one.sequence is None else str(one.sequence)
            pipeline.hset(mark, field, str(one.fencing_token))
            pipeline.expire(mark, MARK_S)
            pipeline.unlink(turns_key(own), *(reply_key(own, reply) for reply in one.replies))
            if one.sequence is None:
                pipeline.zrem(RECENT, own)
        pipeline.execute()


def _find_epoch(client: redis.Redis) -> str:
    client.set(EPOCH_KEY, token_hex(8), nx=True)
    return str(client.get(EPOCH_KEY))


def _rewrite_file(client: redis.Redis) -> bool:
    """Ask for a new append-only file: the old one still holds every command ever written.

    Best effort. False: one is being written just now, or Redis may not be asked; a later sweep
    asks again.
    """
    try:
        if client.info("persistence").get("aof_enabled"):
            client.bgrewriteaof()
    except RedisError as exc:
        logger.warning("erasure.file_not_rewritten", extra={"error": type(exc).__name__})
        return False
    return True

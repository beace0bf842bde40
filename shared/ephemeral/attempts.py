"""Limits of attempts: to sign in, and the like. Counted in Redis, for all processes together.

Without Redis each process counts by itself, from zero, until Redis is back.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time

import redis
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from shared.errors import TooManyAttemptsError
from shared.metrics.counters import REDIS_FALLBACKS

logger = logging.getLogger(__name__)

WINDOW_MIN = 15


class Attempts:
    """Counts attempts. Creating this object opens no connection."""

    def __init__(self, client: redis.Redis) -> None:
        storage = RedisStorage(
            "redis://", connection_pool=client.connection_pool, key_prefix="attempts"
        )
        self._in_redis = SlidingWindowCounterRateLimiter(storage)
        self._in_process = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, kind: str, key: str, limit: int) -> None:
        """Count one more attempt. Raises `TooManyAttemptsError` beyond `limit` in `WINDOW_MIN`.

        Only a hash of `key` is kept.
        """
        item = RateLimitItemPerMinute(limit, WINDOW_MIN)
        hashed = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
        try:
            _hit(self._in_redis, item, kind, hashed)
        except RedisError as exc:
            REDIS_FALLBACKS.labels("attempts").inc()
            logger.warning("attempts.uncounted", extra={"error": type(exc).__name__})
            _hit(self._in_process, item, kind, hashed)


def _hit(
    limiter: SlidingWindowCounterRateLimiter, item: RateLimitItemPerMinute, kind: str, key: str
) -> None:
    """The count is one atomic step, before the attempt: many at once cannot slip through."""
    if limiter.hit(item, kind, key):
        return
    wait_s = limiter.get_window_stats(item, kind, key).reset_time - time.time()
    raise TooManyAttemptsError(retry_after_s=max(1.0, math.ceil(wait_s)))

"""Make the Redis client, with short socket timeouts, so that a fault of Redis costs little."""

from __future__ import annotations

import time
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

SOCKET_TIMEOUT_S = 1.0
CONNECT_TIMEOUT_S = 0.5
PAUSE_S = 10.0


class PausingPool(redis.ConnectionPool):
    """Refuses connections for `PAUSE_S` after a timeout.

    A Redis that is down refuses at once, but one that hangs would cost every round a timeout.
    """

    _paused_until = 0.0

    def get_connection(self, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() < self._paused_until:
            raise redis.ConnectionError("Redis did not answer a moment ago.")
        try:
            return super().get_connection(*args, **kwargs)
        except redis.TimeoutError:
            self._paused_until = time.monotonic() + PAUSE_S
            raise


def connect_redis(url: str, *, socket_timeout_s: float = SOCKET_TIMEOUT_S) -> redis.Redis:
    """A client that connects at first use and answers in str."""
    pool = PausingPool.from_url(
        url,
        decode_responses=True,
        socket_timeout=socket_timeout_s,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        # Reconnect once after a stale connection, but do not wait for a second timeout.
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
    return redis.Redis.from_pool(pool)


def is_reachable(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False

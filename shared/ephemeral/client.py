"""The one way to make a Redis client: short socket time-outs, so that a fault costs little."""

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
    """Leaves a Redis alone for a while that takes connections and does not answer.

    One that is gone refuses at once. One that hangs would cost every round its time-outs.
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
    """Connects at first use. Answers are str."""
    pool = PausingPool.from_url(
        url,
        decode_responses=True,
        socket_timeout=socket_timeout_s,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        # A connection that has gone stale is made anew at once; a time-out is not waited for twice.
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
    return redis.Redis.from_pool(pool)

"""The one way to make a Redis client: short socket time-outs, so that a fault costs little."""

from __future__ import annotations

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

SOCKET_TIMEOUT_S = 1.0
CONNECT_TIMEOUT_S = 0.5


def connect_redis(url: str, *, socket_timeout_s: float = SOCKET_TIMEOUT_S) -> redis.Redis:
    """Connects at first use. Answers are str."""
    return redis.Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=socket_timeout_s,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        retry=Retry(NoBackoff(), 1),
    )

"""When the last sweep was done: whoever diagnoses a site sees by it that beat is alive."""

from __future__ import annotations

import logging
import time

import redis

logger = logging.getLogger(__name__)

KEY = "sweep:done_at"
KEPT_S = 3600


def note_sweep(client: redis.Redis) -> None:
    try:
        client.set(KEY, time.time(), ex=KEPT_S)
    except redis.RedisError as exc:
        fields = {"operation": "note_sweep", "error": type(exc).__name__}
        logger.warning("redis.unavailable", extra=fields)


def find_age_s(client: redis.Redis) -> float | None:
    """Seconds since the last sweep. None: longer than an hour, or Redis does not know."""
    try:
        done_at = client.get(KEY)
    except redis.RedisError:
        return None
    return max(0.0, time.time() - float(str(done_at))) if done_at else None

"""One run of the doctor's checks for all web processes: the others get what the first one finds."""

from __future__ import annotations

import logging
import time
from contextlib import suppress

import redis

logger = logging.getLogger(__name__)

RUNNING = "doctor:running"
OUTCOME = "doctor:outcome"
PAUSE_S = 0.1


def find_outcome(client: redis.Redis, longest_s: float) -> str | None:
    """What another process has found, or finds within `longest_s`.

    None: this process shall run the checks. Without Redis each process runs its own.
    """
    ends_at = time.monotonic() + longest_s
    try:
        while not client.set(RUNNING, "", nx=True, px=round(longest_s * 1000)):
            if (outcome := client.get(OUTCOME)) is not None:
                return str(outcome)
            if time.monotonic() >= ends_at:
                return None
            time.sleep(PAUSE_S)
    except redis.RedisError as exc:
        fields = {"operation": "find_outcome", "error": type(exc).__name__}
        logger.warning("redis.unavailable", extra=fields)
    return None


def tell_outcome(client: redis.Redis, outcome: str, kept_s: float) -> None:
    kept_ms = round(kept_s * 1000)
    with suppress(redis.RedisError), client.pipeline() as pipeline:
        pipeline.set(OUTCOME, outcome, px=kept_ms)
        pipeline.pexpire(RUNNING, kept_ms)
        pipeline.execute()

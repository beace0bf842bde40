"""A Redis stream of the users who have new events. It wakes followers; Postgres has the events."""

from __future__ import annotations

from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisError

from shared.metrics.counters import REDIS_FALLBACKS
from shared.models import UserId

KEY = "events:news"
KEPT = 1000  # entries; who misses some finds the events at the next poll


class News(NamedTuple):
    """Users with new events, and where the next read begins."""

    users: frozenset[UserId]
    position: str


def tell_news(client: redis.Redis, user_id: UserId) -> None:
    """Wake the user's followers, in all web processes. Without Redis they poll."""
    try:
        client.xadd(KEY, {"user": user_id}, maxlen=KEPT, approximate=True)
    except RedisError:
        REDIS_FALLBACKS.labels(operation="tell_news").inc()


def read_news(client: redis.Redis, position: str | None, block_ms: int) -> News | None:
    """Wait up to `block_ms` for news after `position`; None begins with the end of the stream.

    None without Redis.
    """
    try:
        if position is None:
            newest: Any = client.xrevrange(KEY, count=1)
            return News(frozenset(), newest[0][0] if newest else "0-0")
        answer: Any = client.xread({KEY: position}, block=block_ms)
    except RedisError:
        return None
    entries = answer[0][1] if answer else []
    users = frozenset(UserId(fields["user"]) for _, fields in entries)
    return News(users, entries[-1][0] if entries else position)

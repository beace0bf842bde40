"""A Redis stream of the users who have new events, and of conversations and jobs that have changed.

It wakes followers. Postgres has the events. That a conversation or a job has changed is told by
nothing else: whoever misses it finds the change when they are read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import redis
from redis.exceptions import RedisError

from shared.metrics.counters import REDIS_FALLBACKS
from shared.models import ConversationId, Kind, UserId

KEY = "events:news"
KEPT = 1000  # entries; who misses some finds the events at the next poll


class Change(NamedTuple):
    """A conversation whose row or messages have changed since they were read."""

    user_id: UserId
    conversation_id: ConversationId
    #: Of the reply that was begun or has ended; None: something else has changed.
    sequence: int | None = None
    fencing_token: int | None = None


class JobChange(NamedTuple):
    """A job that a worker has begun, or whose worker has ended its work on it."""

    user_id: UserId
    conversation_id: ConversationId
    kind: Kind
    is_running: bool


class News(NamedTuple):
    """Users with new events, what has changed, and where the next read begins."""

    users: frozenset[UserId]
    changes: tuple[Change | JobChange, ...]
    position: str


def tell_news(client: redis.Redis, user_id: UserId) -> None:
    """Wake the user's followers, in all web processes. Without Redis they poll."""
    _add(client, {"user": user_id})


def tell_change(client: redis.Redis, change: Change) -> None:
    """Tell the user's followers of a change. Without Redis they are not told."""
    reply = "" if change.sequence is None else f"{change.sequence}-{change.fencing_token}"
    fields = {"conversation": change.conversation_id, "reply": reply}
    _add(client, {"user": change.user_id, **fields})


def tell_job_change(client: redis.Redis, change: JobChange) -> None:
    """Tell the user's followers of a change of a job. Without Redis they are not told."""
    # Without a field `conversation`: a process of the version before takes it for news of the user.
    state = "running" if change.is_running else ""
    fields = {"job": change.kind, "job_of": change.conversation_id, "state": state}
    _add(client, {"user": change.user_id, **fields})


def _add(client: redis.Redis, fields: dict[Any, Any]) -> None:
    try:
        client.xadd(KEY, fields, maxlen=KEPT, approximate=True)
    except RedisError:
        REDIS_FALLBACKS.labels(operation="tell_news").inc()


def read_news(client: redis.Redis, position: str | None, block_ms: int) -> News | None:
    """Wait up to `block_ms` for news after `position`; None begins with the end of the stream.

    None without Redis.
    """
    try:
        if position is None:
            newest: Any = client.xrevrange(KEY, count=1)
            return News(frozenset(), (), newest[0][0] if newest else "0-0")
        answer: Any = client.xread({KEY: position}, block=block_ms)
    except RedisError:
        return None
    entries = answer[0][1] if answer else []
    items = [fields for _, fields in entries]
    users = frozenset(UserId(item["user"]) for item in items if not _is_change(item))
    changes = tuple(_read_change(item) for item in items if _is_change(item))
    return News(users, changes, entries[-1][0] if entries else position)


def _is_change(fields: Mapping[str, str]) -> bool:
    return "conversation" in fields or "job" in fields


def _read_change(fields: Mapping[str, str]) -> Change | JobChange:
    if "job" in fields:
        return JobChange(
            UserId(fields["user"]),
            ConversationId(fields["job_of"]),
            cast("Kind", fields["job"]),
            is_running=fields["state"] == "running",
        )
    sequence, _, token = fields["reply"].partition("-")
    return Change(
        UserId(fields["user"]),
        ConversationId(fields["conversation"]),
        int(sequence) if sequence else None,
        int(token) if token else None,
    )

"""Table `audit_events`: who did what to whose data. Ids only. Rows are added and grow old."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from shared.db import PgConnection, Row, execute, fetch_rows
from shared.models import Action, Actor, AuditEvent, Thing, UserId


class AuditFilter(NamedTuple):
    """Which events to list. A field that is None allows every value."""

    #: Whose data it was.
    user_id: UserId | None = None
    #: Who did it.
    actor_id: UserId | None = None
    action: Action | None = None
    since: datetime | None = None
    until: datetime | None = None
    #: Only events with smaller ids.
    before: int | None = None


def add_event(
    connection: PgConnection, user_id: UserId, action: Action, thing: Thing | None, actor: Actor
) -> None:
    """Add an event. `user_id` is the user whose data it is about."""
    execute(
        connection,
        """
        INSERT INTO audit_events
            (user_id, actor_id, action, object_kind, object_id, token_id, request_id, address)
        VALUES (%(user_id)s, %(actor_id)s, %(action)s, %(object_kind)s, %(object_id)s,
                %(token_id)s, %(request_id)s, %(address)s)
        """,
        user_id=user_id,
        actor_id=actor.user_id,
        action=action,
        object_kind=thing.kind if thing else None,
        object_id=thing.object_id if thing else None,
        token_id=actor.token_id,
        request_id=actor.request_id,
        address=actor.address,
    )


def list_events(connection: PgConnection, filters: AuditFilter, limit: int) -> list[AuditEvent]:
    """List events, newest first.

    In an upkeep transaction they are those of all users, else those of the transaction's user.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM audit_events
        WHERE (%(user_id)s::text IS NULL OR user_id = %(user_id)s)
          AND (%(actor_id)s::text IS NULL OR actor_id = %(actor_id)s)
          AND (%(action)s::text IS NULL OR action = %(action)s)
          AND (%(since)s::timestamptz IS NULL OR at >= %(since)s)
          AND (%(until)s::timestamptz IS NULL OR at < %(until)s)
          AND (%(before)s::bigint IS NULL OR event_id < %(before)s)
        ORDER BY event_id DESC LIMIT %(limit)s
        """,
        **filters._asdict(),
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def delete_own_events(connection: PgConnection, user_id: UserId) -> None:
    """Delete the events of what the user did to their own data. All other events stay."""
    execute(
        connection,
        "DELETE FROM audit_events WHERE user_id = %(user_id)s AND actor_id = %(user_id)s",
        user_id=user_id,
    )


def delete_old_events(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete old events, and return how many there were."""
    return execute(
        connection,
        """
        DELETE FROM audit_events WHERE event_id IN (
            SELECT event_id FROM audit_events
            WHERE at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _from_row(row: Row) -> AuditEvent:
    return AuditEvent(
        event_id=row["event_id"],
        at=row["at"],
        user_id=row["user_id"],
        actor_id=row["actor_id"],
        action=row["action"],
        thing=Thing(row["object_kind"], row["object_id"]) if row["object_kind"] else None,
        token_id=row["token_id"],
        request_id=row["request_id"],
        address=row["address"],
    )

"""Table `events`: the outbox. An event is written in the transaction of the change it tells of."""

from __future__ import annotations

from psycopg2.extras import Json

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import Event, NewEvent, UserId


def add_event(connection: PgConnection, user_id: UserId, new: NewEvent) -> int:
    """Write an event, and a delivery for each webhook that wants it. Returns the event's id.

    Call it after the change: the lock below is the last that is taken.

    The lock is held until commit, so that a user's events get their ids in the order in which
    they are committed, though a clock is set back. A reader who has seen an id has then seen all
    smaller ones.
    """
    row = fetch_row(
        connection,
        """
        SELECT pg_advisory_xact_lock(hashtextextended('events:' || %(user_id)s, 0));
        WITH event AS (
            INSERT INTO events (event_id, user_id, type, data)
            SELECT greatest(new_id(), max(event_id) + 1), %(user_id)s, %(type)s, %(data)s
            FROM events WHERE user_id = %(user_id)s
            RETURNING event_id),
        wanted AS (
            INSERT INTO webhook_deliveries (user_id, webhook_id, event_id)
            SELECT user_id, webhook_id, event_id FROM webhooks CROSS JOIN event
            WHERE user_id = %(user_id)s AND %(type)s = ANY(event_types) AND disabled_at IS NULL)
        SELECT event_id FROM event
        """,
        user_id=user_id,
        type=new.type,
        data=Json(dict(new.data)),
    )
    assert row is not None  # noqa: S101 - the statement always returns one
    return int(row["event_id"])


def list_events(connection: PgConnection, user_id: UserId, after: int, limit: int) -> list[Event]:
    """The user's events with larger ids than `after`, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT event_id, type, data, occurred_at FROM events
        WHERE user_id = %(user_id)s AND event_id > %(after)s
        ORDER BY event_id LIMIT %(limit)s
        """,
        user_id=user_id,
        after=after,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def find_newest_id(connection: PgConnection, user_id: UserId) -> int:
    """The id of the user's newest event; 0 if there is none."""
    row = fetch_row(
        connection,
        "SELECT coalesce(max(event_id), 0) AS newest FROM events WHERE user_id = %(user_id)s",
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - an aggregate
    return int(row["newest"])


def delete_events(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete old events."""
    return execute(
        connection,
        """
        DELETE FROM events WHERE event_id IN (
            SELECT event_id FROM events
            WHERE occurred_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY occurred_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _from_row(row: Row) -> Event:
    return Event(
        event_id=row["event_id"],
        type=row["type"],
        data=row["data"],
        occurred_at=row["occurred_at"],
    )

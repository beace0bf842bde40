"""Table `webhook_deliveries`: each event on its way to each webhook that wants it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import Attempt, Delivery, DeliveryStatus, Event, UserId, WebhookLease


def begin_next(
    connection: PgConnection, lease: WebhookLease, retry_after_s: float
) -> Delivery | None:
    """Begin an attempt at the delivery that has been due for longest. None: none is due.

    If the worker dies, the delivery is due again after `retry_after_s` seconds.
    """
    row = fetch_row(
        connection,
        """
        WITH begun AS (
            UPDATE webhook_deliveries
            SET attempts = attempts + 1,
                due_at = now() + make_interval(secs => %(retry_after_s)s)
            WHERE delivery_id = (
                SELECT delivery_id FROM webhook_deliveries
                WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
                  AND status = 'pending' AND due_at <= now()
                ORDER BY due_at, delivery_id LIMIT 1
                FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING *)
        SELECT begun.*, events.type, events.data, events.occurred_at
        FROM begun JOIN events USING (user_id, event_id)
        """,
        user_id=lease.user_id,
        webhook_id=lease.webhook_id,
        retry_after_s=retry_after_s,
    )
    return _from_row(row) if row else None


def finish(
    connection: PgConnection,
    lease: WebhookLease,
    delivery_id: int,
    attempt: Attempt,
    status: DeliveryStatus,
) -> None:
    """Write how the last attempt ended: `delivered` or `dead`."""
    execute(
        connection,
        """
        UPDATE webhook_deliveries
        SET status = %(status)s, finished_at = now(), http_status = %(http_status)s,
            error = %(error)s
        WHERE user_id = %(user_id)s AND delivery_id = %(delivery_id)s AND status = 'pending'
        """,
        user_id=lease.user_id,
        delivery_id=delivery_id,
        status=status,
        http_status=attempt.http_status,
        error=attempt.error,
    )


def put_off(
    connection: PgConnection,
    lease: WebhookLease,
    delivery_id: int,
    attempt: Attempt,
    after_s: float,
) -> None:
    """Make a delivery due again in `after_s` seconds, because its last attempt failed."""
    execute(
        connection,
        """
        UPDATE webhook_deliveries
        SET due_at = now() + make_interval(secs => %(after_s)s), http_status = %(http_status)s,
            error = %(error)s
        WHERE user_id = %(user_id)s AND delivery_id = %(delivery_id)s AND status = 'pending'
        """,
        user_id=lease.user_id,
        delivery_id=delivery_id,
        after_s=after_s,
        http_status=attempt.http_status,
        error=attempt.error,
    )


@dataclass(frozen=True, kw_only=True)
class DeliveryFilter:
    """Which deliveries to list; None means any."""

    webhook_id: int | None = None
    status: DeliveryStatus | None = None
    #: Only deliveries with smaller ids.
    before: int | None = None


def add_delivery(connection: PgConnection, user_id: UserId, webhook_id: int, event_id: int) -> None:
    """Add a delivery to one webhook, whichever events the webhook has asked for."""
    execute(
        connection,
        """
        INSERT INTO webhook_deliveries (user_id, webhook_id, event_id)
        VALUES (%(user_id)s, %(webhook_id)s, %(event_id)s)
        """,
        user_id=user_id,
        webhook_id=webhook_id,
        event_id=event_id,
    )


def list_deliveries(
    connection: PgConnection, user_id: UserId, filters: DeliveryFilter, limit: int
) -> list[Delivery]:
    """List deliveries, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT d.*, e.type, e.data, e.occurred_at
        FROM webhook_deliveries d JOIN events e USING (user_id, event_id)
        WHERE user_id = %(user_id)s
          AND (%(webhook_id)s::bigint IS NULL OR webhook_id = %(webhook_id)s)
          AND (%(status)s::text IS NULL OR status = %(status)s)
          AND (%(before)s::bigint IS NULL OR delivery_id < %(before)s)
        ORDER BY delivery_id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        webhook_id=filters.webhook_id,
        status=filters.status,
        before=filters.before,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def send_again(connection: PgConnection, user_id: UserId, delivery_id: int) -> int:
    """Begin a finished delivery anew. Returns its webhook's id. Raises `NotFoundError`.

    A pending delivery is due now, with all of its tries.
    """
    row = fetch_row(
        connection,
        """
        UPDATE webhook_deliveries
        SET status = 'pending', attempts = 0, due_at = now(), finished_at = NULL,
            http_status = NULL, error = NULL
        WHERE user_id = %(user_id)s AND delivery_id = %(delivery_id)s
        RETURNING webhook_id
        """,
        user_id=user_id,
        delivery_id=delivery_id,
    )
    if row is None:
        raise NotFoundError("There is no such delivery.")
    return int(row["webhook_id"])


def count_by_status(
    connection: PgConnection, user_id: UserId, webhook_ids: Sequence[int]
) -> dict[tuple[int, DeliveryStatus], int]:
    """How many deliveries there are, by webhook and status."""
    rows = fetch_rows(
        connection,
        """
        SELECT webhook_id, status, count(*) AS count FROM webhook_deliveries
        WHERE user_id = %(user_id)s AND webhook_id = ANY(%(webhook_ids)s)
        GROUP BY webhook_id, status
        """,
        user_id=user_id,
        webhook_ids=list(webhook_ids),
    )
    return {(row["webhook_id"], row["status"]): row["count"] for row in rows}


def _from_row(row: Row) -> Delivery:
    return Delivery(
        delivery_id=row["delivery_id"],
        webhook_id=row["webhook_id"],
        event=Event(
            event_id=row["event_id"],
            type=row["type"],
            data=row["data"],
            occurred_at=row["occurred_at"],
        ),
        status=row["status"],
        attempts=row["attempts"],
        due_at=row["due_at"],
        http_status=row["http_status"],
        error=row["error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
    )

"""Table `webhooks`. Secrets come and go encrypted."""

from __future__ import annotations

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import NewWebhook, UserId, Webhook, WebhookChange, WebhookLease


def add_webhook(connection: PgConnection, new: NewWebhook) -> Webhook:
    """Add a webhook. The caller has made sure that the user exists (`users.ensure_user`)."""
    row = fetch_row(
        connection,
        """
        INSERT INTO webhooks (user_id, url, event_types, with_text, secret)
        VALUES (%(user_id)s, %(url)s, %(event_types)s, %(with_text)s, %(secret)s)
        RETURNING *
        """,
        user_id=new.user_id,
        url=new.url,
        event_types=list(new.event_types),
        with_text=new.with_text,
        secret=new.secret,
    )
    return _existing(row)


def list_webhooks(connection: PgConnection, user_id: UserId) -> list[Webhook]:
    """The user's webhooks, newest first."""
    rows = fetch_rows(
        connection,
        "SELECT * FROM webhooks WHERE user_id = %(user_id)s ORDER BY webhook_id DESC",
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def get_webhook(connection: PgConnection, user_id: UserId, webhook_id: int) -> Webhook:
    """The user's webhook. Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        "SELECT * FROM webhooks WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s",
        user_id=user_id,
        webhook_id=webhook_id,
    )
    return _existing(row)


def change_webhook(
    connection: PgConnection, user_id: UserId, webhook_id: int, change: WebhookChange
) -> Webhook:
    """Change a webhook. One that is enabled again is called at once. Raises `NotFoundError`."""
    row = fetch_row(
        connection,
        """
        UPDATE webhooks
        SET url = coalesce(%(url)s, url),
            event_types = coalesce(%(event_types)s::text[], event_types),
            with_text = coalesce(%(with_text)s, with_text),
            disabled_at = CASE WHEN %(enabled)s THEN NULL
                               WHEN NOT %(enabled)s THEN coalesce(disabled_at, now())
                               ELSE disabled_at END,
            failures = CASE WHEN %(enabled)s THEN 0 ELSE failures END,
            resume_at = CASE WHEN %(enabled)s THEN now() ELSE resume_at END
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
        RETURNING *
        """,
        user_id=user_id,
        webhook_id=webhook_id,
        url=change.url,
        event_types=None if change.event_types is None else list(change.event_types),
        with_text=change.with_text,
        enabled=change.enabled,
    )
    return _existing(row)


def rotate_secret(
    connection: PgConnection, user_id: UserId, webhook_id: int, secret: bytes, overlap_s: float
) -> Webhook:
    """Give a webhook a new secret. The old one also signs for `overlap_s` seconds.

    Raises `NotFoundError`.
    """
    row = fetch_row(
        connection,
        """
        UPDATE webhooks
        SET old_secret = secret, secret = %(secret)s,
            old_secret_until = now() + make_interval(secs => %(overlap_s)s)
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
        RETURNING *
        """,
        user_id=user_id,
        webhook_id=webhook_id,
        secret=secret,
        overlap_s=overlap_s,
    )
    return _existing(row)


def resume_webhook(connection: PgConnection, user_id: UserId, webhook_id: int) -> None:
    """End the pause after failures."""
    execute(
        connection,
        """
        UPDATE webhooks SET resume_at = now(), failures = 0
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
        """,
        user_id=user_id,
        webhook_id=webhook_id,
    )


def delete_webhook(connection: PgConnection, user_id: UserId, webhook_id: int) -> None:
    """Delete it with its deliveries. Raises `NotFoundError`."""
    touched = execute(
        connection,
        "DELETE FROM webhooks WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s",
        user_id=user_id,
        webhook_id=webhook_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such webhook.")


def list_due(connection: PgConnection, user_id: UserId | None, limit: int) -> list[int]:
    """The ids of webhooks that have something to deliver now: one user's, or (None) all users'."""
    rows = fetch_rows(
        connection,
        "SELECT webhook_id FROM list_due_webhooks(%(user_id)s, %(limit)s)",
        user_id=user_id,
        limit=limit,
    )
    return [row["webhook_id"] for row in rows]


def lease_webhook(connection: PgConnection, webhook_id: int, lease_s: float) -> WebhookLease | None:
    """Lease a webhook to deliver to it.

    None: it is gone, disabled or paused, or another worker has the lease.
    """
    row = fetch_row(
        connection,
        "SELECT * FROM lease_webhook(%(webhook_id)s, %(lease_s)s)",
        webhook_id=webhook_id,
        lease_s=lease_s,
    )
    if row is None:
        return None
    return WebhookLease(
        webhook_id=webhook_id,
        user_id=UserId(row["user_id"]),
        fencing_token=row["fencing_token"],
    )


def renew_lease(connection: PgConnection, lease: WebhookLease, lease_s: float) -> Webhook | None:
    """Renew the lease. None: it was lost, or the webhook is disabled or gone."""
    row = fetch_row(
        connection,
        """
        UPDATE webhooks SET lease_until = now() + make_interval(secs => %(lease_s)s)
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
          AND fencing_token = %(fencing_token)s AND disabled_at IS NULL
        RETURNING *
        """,
        user_id=lease.user_id,
        webhook_id=lease.webhook_id,
        fencing_token=lease.fencing_token,
        lease_s=lease_s,
    )
    return _from_row(row) if row else None


def release_lease(connection: PgConnection, lease: WebhookLease) -> None:
    execute(
        connection,
        """
        UPDATE webhooks SET lease_until = NULL, fencing_token = NULL
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
          AND fencing_token = %(fencing_token)s
        """,
        user_id=lease.user_id,
        webhook_id=lease.webhook_id,
        fencing_token=lease.fencing_token,
    )


def note_attempt(
    connection: PgConnection, lease: WebhookLease, *, pause_s: float | None, is_gone: bool
) -> bool:
    """Note the result of a request. `pause_s` None: it succeeded. False: the lease was lost."""
    touched = execute(
        connection,
        """
        UPDATE webhooks
        SET failures = CASE WHEN %(pause_s)s::float8 IS NULL THEN 0 ELSE failures + 1 END,
            resume_at = now() + make_interval(secs => coalesce(%(pause_s)s::float8, 0)),
            disabled_at = CASE WHEN %(is_gone)s THEN now() ELSE disabled_at END
        WHERE user_id = %(user_id)s AND webhook_id = %(webhook_id)s
          AND fencing_token = %(fencing_token)s
        """,
        user_id=lease.user_id,
        webhook_id=lease.webhook_id,
        fencing_token=lease.fencing_token,
        pause_s=pause_s,
        is_gone=is_gone,
    )
    return touched == 1


def _existing(row: Row | None) -> Webhook:
    if row is None:
        raise NotFoundError("There is no such webhook.")
    return _from_row(row)


def _from_row(row: Row) -> Webhook:
    old_secret = row["old_secret"]
    return Webhook(
        webhook_id=row["webhook_id"],
        url=row["url"],
        event_types=tuple(row["event_types"]),
        with_text=row["with_text"],
        secret=bytes(row["secret"]),
        old_secret=None if old_secret is None else bytes(old_secret),
        old_secret_until=row["old_secret_until"],
        disabled_at=row["disabled_at"],
        failures=row["failures"],
        resume_at=row["resume_at"],
        created_at=row["created_at"],
    )

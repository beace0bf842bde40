"""View `jobs`: the rows of all derived tables as background jobs."""

from __future__ import annotations

from datetime import datetime

from shared.db import PgConnection, Row, fetch_row, fetch_rows
from shared.models import ConversationId, Job, JobState, Kind, Span
from shared.store.rows import read_conversation_id


def list_jobs(
    connection: PgConnection,
    conversation_id: ConversationId,
    limit: int = 30,
    before: tuple[datetime, str, int] | None = None,
) -> list[Job]:
    """List jobs, newest first.

    `before` is the (created_at, kind, job_id) of the last job of the page before.
    """
    at, kind, job_id = before or (None, None, None)
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM jobs
        WHERE conversation_id = %(conversation_id)s
          AND (%(at)s::timestamptz IS NULL OR created_at < %(at)s
               OR created_at = %(at)s
                  AND (kind > %(kind)s OR kind = %(kind)s AND job_id < %(job_id)s))
        ORDER BY created_at DESC, kind, job_id DESC
        LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        limit=limit,
        at=at,
        kind=kind,
        job_id=job_id,
    )
    return [from_row(row) for row in rows]


def count_jobs(
    connection: PgConnection, conversation_id: ConversationId
) -> dict[Kind, dict[JobState, int]]:
    """How many jobs of the conversation are in which state, by kind.

    Those whose messages were replaced have ended and did not fail: they are not counted.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT kind, state, count(*) AS count FROM jobs
        WHERE conversation_id = %(conversation_id)s
          AND NOT (state = 'failed' AND coalesce(error, '') ~ '^message [0-9]+ was replaced$')
        GROUP BY kind, state
        """,
        conversation_id=conversation_id,
    )
    counts: dict[Kind, dict[JobState, int]] = {}
    for row in rows:
        counts.setdefault(row["kind"], {})[row["state"]] = row["count"]
    return counts


def is_in_progress(connection: PgConnection, conversation_id: ConversationId, kind: Kind) -> bool:
    """Whether a job of that kind waits or runs."""
    row = fetch_row(
        connection,
        """
        SELECT 1 FROM jobs
        WHERE conversation_id = %(conversation_id)s AND kind = %(kind)s AND status = 'processing'
        """,
        conversation_id=conversation_id,
        kind=kind,
    )
    return row is not None


def list_stuck(connection: PgConnection, older_than_s: float, limit: int) -> list[Job]:
    """Jobs of all users that have waited or run for `older_than_s` or longer, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM jobs
        WHERE status = 'processing'
          AND created_at < now() - make_interval(secs => %(older_than_s)s)
        ORDER BY created_at LIMIT %(limit)s
        """,
        older_than_s=older_than_s,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def from_row(row: Row) -> Job:
    return Job(
        kind=row["kind"],
        job_id=row["job_id"],
        conversation_id=read_conversation_id(row),
        state=row["state"],
        span=Span(start=row["start_sequence"], end=row["end_sequence"]),
        attempts=row["attempts"],
        error=row["error"],
        created_at=row["created_at"],
        begun_at=row["begun_at"],
        finished_at=row["finished_at"],
    )

"""The three derived tables seen as background jobs."""

from __future__ import annotations

from shared.db import PgConnection, Row, fetch_rows
from shared.models import ConversationId, Job, JobState, Span


def list_jobs(
    connection: PgConnection, conversation_id: ConversationId, limit: int = 30
) -> list[Job]:
    """Newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM (
            SELECT 'summary' AS kind, memory_id AS job_id, start_sequence AS start,
                   end_sequence AS "end", status, attempts, fencing_token, error,
                   created_at, finished_at
            FROM memory WHERE conversation_id = %(conversation_id)s
            UNION ALL
            SELECT 'episode', id, turn_start, turn_end, status, attempts, fencing_token, error,
                   created_at, finished_at
            FROM episodic_memory WHERE conversation_id = %(conversation_id)s
            UNION ALL
            SELECT 'facts', id, start_sequence, end_sequence, status, attempts, fencing_token,
                   error, created_at, finished_at
            FROM fact_extractions WHERE conversation_id = %(conversation_id)s
        ) AS jobs
        ORDER BY created_at DESC, kind, job_id DESC
        LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> Job:
    return Job(
        kind=row["kind"],
        job_id=row["job_id"],
        state=_state(row),
        span=Span(start=row["start"], end=row["end"]),
        attempts=row["attempts"],
        error=row["error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
    )


def _state(row: Row) -> JobState:
    if row["status"] == "processing":
        return "queued" if row["fencing_token"] is None else "running"
    if row["status"] == "deleted":
        return "completed"  # the job was done; the user has deleted the episode since
    state: JobState = row["status"]
    return state

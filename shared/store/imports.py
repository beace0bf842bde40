"""Table `imports`: the report on each imported file, and how much of it memory covers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from psycopg2.extras import Json

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import ConflictError, NotFoundError
from shared.models import ConversationId, Kind, UserId

ImportStatus = Literal["running", "done", "failed"]

# If the tally was not saved for this long, the web process of the import is gone.
CUT_OFF_AFTER_S = 300
MAX_FAILED = 100


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The counts of an import so far."""

    imported: int = 0
    #: Conversations that were imported before.
    skipped: int = 0
    #: Conversations that could not be read or stored.
    failed: int = 0
    #: Messages of the imported conversations.
    messages: int = 0
    #: Messages, and parts of messages, that were left out, by reason.
    left_out: Mapping[str, int] = field(default_factory=dict)
    #: What the user is told about single conversations.
    notes: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tier:
    """How many messages of an import one kind of derived memory covers."""

    #: Messages that it covers.
    covered: int
    #: Messages of the conversations that were imported.
    total: int


class FailedJob(NamedTuple):
    """A failed job, which was the newest of its kind in its conversation."""

    conversation_id: ConversationId
    kind: Kind


@dataclass(frozen=True, kw_only=True)
class Import:
    """A row of `imports`, and how much of it memory covers."""

    import_id: str
    status: ImportStatus
    tally: Tally
    #: One sentence for the user. None: it is running or done.
    error: str | None
    created_at: datetime
    #: None: it is running, or its process was lost.
    finished_at: datetime | None
    #: By kind of derived memory.
    tiers: Mapping[str, Tier]
    #: Jobs of its conversations that wait or run.
    jobs: int
    #: Those that the user may run again, `MAX_FAILED` at most.
    failed_jobs: tuple[FailedJob, ...]


def start_import(connection: PgConnection, user_id: UserId) -> str:
    """Add an import, and return its id."""
    row = fetch_row(
        connection,
        "INSERT INTO imports (user_id) VALUES (%(user_id)s) RETURNING import_id",
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return str(row["import_id"])


def lock_import(connection: PgConnection, import_id: str) -> None:
    """Keep the import from being deleted until commit.

    Raises `ConflictError` when it is gone: its user has deleted everything. A later message may
    have created the user again, but this file must not be added to that new user.
    """
    row = fetch_row(
        connection,
        "SELECT 1 FROM imports WHERE import_id = %(import_id)s FOR KEY SHARE",
        import_id=import_id,
    )
    if row is None:
        raise ConflictError("Everything about the user was deleted while the import was running.")


def save_tally(connection: PgConnection, import_id: str, tally: Tally) -> None:
    """Save the counts of an import. Raises `ConflictError` when its user has deleted everything."""
    touched = execute(
        connection,
        """
        UPDATE imports
        SET imported = %(imported)s, skipped = %(skipped)s, failed = %(failed)s,
            messages = %(messages)s, left_out = %(left_out)s, notes = %(notes)s,
            touched_at = now()
        WHERE import_id = %(import_id)s
        """,
        import_id=import_id,
        imported=tally.imported,
        skipped=tally.skipped,
        failed=tally.failed,
        messages=tally.messages,
        left_out=Json(dict(tally.left_out)),
        notes=Json([dict(note) for note in tally.notes]),
    )
    if touched == 0:
        raise ConflictError("The import was deleted while it was running.")


def finish_import(
    connection: PgConnection, import_id: str, status: ImportStatus, error: str | None
) -> None:
    execute(
        connection,
        """
        UPDATE imports SET status = %(status)s, error = %(error)s, finished_at = now()
        WHERE import_id = %(import_id)s
        """,
        import_id=import_id,
        status=status,
        error=error,
    )


def get_import(connection: PgConnection, user_id: UserId, import_id: str) -> Import:
    """The user's import. Raises `NotFoundError`, also when it is somebody else's."""
    matches = _list(connection, user_id, import_id, limit=1)
    if not matches:
        raise NotFoundError("There is no such import.")
    return matches[0]


def list_imports(
    connection: PgConnection,
    user_id: UserId,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> list[Import]:
    """The user's imports, newest first.

    `before` is the (created_at, import_id) of the last import of the page before.
    """
    return _list(connection, user_id, None, limit, before)


def _list(
    connection: PgConnection,
    user_id: UserId,
    import_id: str | None,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> list[Import]:
    rows = fetch_rows(
        connection,
        """
        WITH chosen AS (
            SELECT * FROM imports
            WHERE user_id = %(user_id)s
              AND (%(import_id)s::uuid IS NULL OR import_id = %(import_id)s::uuid)
              AND (%(before_at)s::timestamptz IS NULL OR created_at < %(before_at)s
                   OR created_at = %(before_at)s AND import_id > %(before_id)s::uuid)
            ORDER BY created_at DESC, import_id LIMIT %(limit)s)
        SELECT chosen.*, reach.*,
               touched_at < now() - make_interval(secs => %(cut_off_s)s) AS is_cut_off,
               ARRAY(SELECT ARRAY[newest.conversation_id::text, newest.kind] FROM (
                   SELECT DISTINCT ON (j.conversation_id, j.kind) j.* FROM jobs j
                   JOIN conversations c USING (conversation_id)
                   WHERE c.import_id = chosen.import_id
                   ORDER BY j.conversation_id, j.kind, j.created_at DESC, j.job_id DESC) AS newest
                   WHERE newest.status = 'failed'
                     AND coalesce(newest.error, '') !~ '^message [0-9]+ was replaced$'
                   LIMIT %(max_failed)s) AS failed_jobs
        FROM chosen CROSS JOIN LATERAL (
            SELECT coalesce(sum(c.last_sequence + 1) FILTER (WHERE c.mode <> 'off'), 0) AS total,
                   coalesce(sum(least(s.reached, c.last_sequence) + 1), 0) AS summary,
                   coalesce(sum(least(e.reached, c.last_sequence) + 1), 0) AS episode,
                   coalesce(sum(least(f.reached, c.last_sequence) + 1), 0) AS facts,
                   count(s.working) + count(e.working) + count(f.working) AS jobs
            FROM conversations c
            CROSS JOIN LATERAL (
                SELECT coalesce(max(end_sequence) FILTER (WHERE status = 'completed'), -1)
                           AS reached,
                       max(end_sequence) FILTER (WHERE status = 'processing') AS working
                FROM memory WHERE memory.conversation_id = c.conversation_id) AS s
            CROSS JOIN LATERAL (
                SELECT coalesce(max(turn_end)
                           FILTER (WHERE status IN ('completed', 'deleted')), -1) AS reached,
                       max(turn_end) FILTER (WHERE status = 'processing') AS working
                FROM episodic_memory job WHERE job.conversation_id = c.conversation_id) AS e
            CROSS JOIN LATERAL (
                SELECT coalesce(max(end_sequence + 1) FILTER (WHERE status = 'completed'), -1)
                           AS reached,
                       max(end_sequence) FILTER (WHERE status = 'processing') AS working
                FROM fact_extractions job WHERE job.conversation_id = c.conversation_id) AS f
            WHERE c.import_id = chosen.import_id) AS reach
        ORDER BY chosen.created_at DESC, chosen.import_id
        """,
        user_id=user_id,
        import_id=import_id,
        limit=limit,
        before_at=before[0] if before else None,
        before_id=before[1] if before else None,
        cut_off_s=CUT_OFF_AFTER_S,
        max_failed=MAX_FAILED,
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> Import:
    is_cut_off = row["status"] == "running" and row["is_cut_off"]
    return Import(
        import_id=str(row["import_id"]),
        status="failed" if is_cut_off else row["status"],
        tally=Tally(
            imported=row["imported"],
            skipped=row["skipped"],
            failed=row["failed"],
            messages=row["messages"],
            left_out=row["left_out"],
            notes=tuple(row["notes"]),
        ),
        error="The import was cut off. Send the file again." if is_cut_off else row["error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        tiers={
            kind: Tier(covered=int(row[kind]), total=int(row["total"]))
            for kind in ("summary", "episode", "facts")
        },
        jobs=row["jobs"],
        failed_jobs=tuple(
            FailedJob(ConversationId(conversation_id), kind)
            for conversation_id, kind in row["failed_jobs"]
        ),
    )

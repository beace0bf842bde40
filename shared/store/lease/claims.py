"""The life of a job: claim, begin, renew, complete, give back, fail, discard. All kinds share it.

A row is `processing` from its claim on. While no worker has begun it, `fencing_token` is null.
`lease_until` is when the sweep looks at the row again. Beginning a job gives it a new token, and
every later write must show that token, so a worker that lost its lease changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from shared.db import PgConnection, Row, execute
from shared.models import Claim, ConversationId, Due, Span, UserId
from shared.models.job_kinds import DERIVATIONS, Derivation, Outdated
from shared.store.lease.statements import change_rows, prepared_for, read_row, read_rows
from shared.store.rows import read_conversation_id


def claim(
    connection: PgConnection,
    derivation: Derivation,
    conversation_id: ConversationId,
    span: Span,
    grace_s: float,
) -> Due | None:
    """Insert the `processing` row. None: there is one."""
    row = read_row(
        connection,
        derivation,
        """
        INSERT INTO {table} (conversation_id, user_id, {start}, {end}, status, lease_until)
        SELECT c.conversation_id, c.user_id, %(start)s, %(end)s, 'processing',
               now() + make_interval(secs => %(grace_s)s)
        FROM conversations c WHERE c.conversation_id = %(conversation_id)s
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO NOTHING
        RETURNING {id} AS job_id
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        grace_s=grace_s,
    )
    if row is None:
        return None
    return Due(kind=derivation.kind, job_id=row["job_id"], conversation_id=conversation_id)


def find_end(
    connection: PgConnection, derivation: Derivation, conversation_id: ConversationId
) -> int:
    """The last message that completed jobs have read; -1 before the first."""
    row = read_row(
        connection,
        derivation,
        """
        SELECT coalesce(max({end}), -1) AS "end" FROM {table}
        WHERE conversation_id = %(conversation_id)s AND status = 'completed'
        """,
        conversation_id=conversation_id,
    )
    return int(row["end"]) if row else -1


def begin(
    connection: PgConnection, derivation: Derivation, job_id: int, lease_s: float
) -> Claim | None:
    """Take the lease of a job. None: another worker has it, or the job is done."""
    row = read_row(
        connection,
        derivation,
        """
        UPDATE {table}
        SET attempts = attempts + 1, dispatch_count = 0, begun_at = now(),
            fencing_token = nextval('fencing_tokens'),
            lease_until = now() + make_interval(secs => %(lease_s)s)
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND (fencing_token IS NULL OR lease_until < now())
        RETURNING {id} AS job_id, user_id, conversation_id, {start} AS start, {end} AS "end",
                  fencing_token, attempts, in_backlog
        """,
        job_id=job_id,
        lease_s=lease_s,
    )
    return _claim(row) if row else None


def put_in_backlog(connection: PgConnection, due: Due) -> Due:
    """Move a job that has just been claimed behind live jobs, also when it is sent again."""
    statement = "UPDATE {table} SET in_backlog = true WHERE {id} = %(job_id)s"
    change_rows(connection, DERIVATIONS[due.kind], statement, job_id=due.job_id)
    return replace(due, urgency="backlog")


def renew(
    connection: PgConnection, derivation: Derivation, fencing_tokens: list[int], lease_s: float
) -> set[int]:
    """Renew leases. Returns the tokens of those that were renewed."""
    rows = read_rows(
        connection,
        derivation,
        """
        UPDATE {table} SET lease_until = now() + make_interval(secs => %(lease_s)s)
        WHERE status = 'processing' AND fencing_token = ANY(%(fencing_tokens)s)
        RETURNING fencing_token
        """,
        fencing_tokens=fencing_tokens,
        lease_s=lease_s,
    )
    return {row["fencing_token"] for row in rows}


def give_back(
    connection: PgConnection, derivation: Derivation, claim: Claim, *, after_s: float, error: str
) -> bool:
    """Free a job after a transient error. The sweep sends it again after `after_s` seconds.

    False: the lease was lost.
    """
    touched = change_rows(
        connection,
        derivation,
        """
        UPDATE {table}
        SET fencing_token = NULL, error = %(error)s,
            lease_until = now() + make_interval(secs => %(after_s)s)
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND fencing_token = %(fencing_token)s
        """,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        after_s=after_s,
        error=error,
    )
    return touched == 1


def complete(
    connection: PgConnection, derivation: Derivation, claim: Claim, **columns: object
) -> bool:
    """Write the result into `columns` and complete the row. False: the lease was lost.

    The conversation is locked before the row. Its deletion uses the same order, so the two cannot
    deadlock. A claim locks the conversation too, so it sees this row either running or completed.
    """
    touched = execute(
        connection,
        prepared_for(
            derivation,
            """
            WITH locked AS (
                SELECT conversation_id FROM conversations
                WHERE conversation_id = %(locked_id)s
                FOR NO KEY UPDATE)
            UPDATE {table}
            SET status = 'completed', finished_at = now(), error = NULL{without_parts}{columns}
            FROM locked
            WHERE {table}.conversation_id = locked.conversation_id
              AND {id} = %(job_id)s AND status = 'processing' AND fencing_token = %(token)s
            """,
            tuple(columns),
        ),
        locked_id=claim.conversation_id,
        job_id=claim.job_id,
        token=claim.fencing_token,
        **columns,
    )
    return touched == 1


def fail(connection: PgConnection, derivation: Derivation, claim: Claim, error: str) -> bool:
    """Fail the job for good. The next claim continues from the last completed row.

    False: the lease was lost.
    """
    touched = change_rows(
        connection,
        derivation,
        """
        UPDATE {table}
        SET status = 'failed', error = %(error)s, finished_at = now(){without_parts}
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND fencing_token = %(fencing_token)s
        """,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        error=error,
    )
    return touched == 1


def count_failures(connection: PgConnection, derivation: Derivation, claim: Claim) -> int:
    """How many jobs of this kind failed in the claim's conversation since one last completed."""
    row = read_row(
        connection,
        derivation,
        """
        SELECT count(*) AS failures FROM {table}
        WHERE conversation_id = %(conversation_id)s AND status = 'failed'
          AND {id} > coalesce((SELECT max({id}) FROM {table}
                               WHERE conversation_id = %(conversation_id)s
                                 AND status NOT IN ('failed', 'processing')), 0)
        """,
        conversation_id=claim.conversation_id,
    )
    return int(row["failures"]) if row else 0


def discard(
    connection: PgConnection,
    derivation: Derivation,
    conversation_id: ConversationId,
    sequence: int,
    outdated: Outdated,
) -> int:
    """Fail the rows that message `sequence`, which changes, has outdated, and empty them.

    Returns how many there were. Running workers lose their leases. The next claim continues from
    the newest row that is left.
    """
    return change_rows(
        connection,
        derivation,
        """
        UPDATE {table}
        SET status = 'failed', fencing_token = NULL,
            finished_at = coalesce(finished_at, now()),
            error = 'message ' || %(sequence)s || ' was replaced' {emptied}
        WHERE conversation_id = %(conversation_id)s AND {end} >= %(sequence)s
          AND ({start} <= %(sequence)s OR %(outdated)s <> 'covering')
          AND (status = 'processing' OR status = 'completed' AND %(outdated)s <> 'unfinished')
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        outdated=outdated,
    )


def _claim(row: Row) -> Claim:
    return Claim(
        job_id=row["job_id"],
        user_id=UserId(row["user_id"]),
        conversation_id=read_conversation_id(row),
        span=Span(start=row["start"], end=row["end"]),
        fencing_token=row["fencing_token"],
        attempts=row["attempts"],
        in_backlog=row["in_backlog"],
    )

"""The `processing` row as guard, outbox and lease: the same for every derived table.

A row is `processing` from its claim on. `fencing_token` is null while nobody is at it;
`lease_until` says when the sweep looks at it again. Who begins gets a new token, and whatever
is written later must show it, so a worker that lost its lease can change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import LiteralString

from psycopg2.sql import SQL, Composed, Identifier, Placeholder

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import Claim, ConversationId, Due, Span
from shared.store.lease.kinds import DERIVATIONS, Derivation, statement_for
from shared.store.rows import read_conversation_id


def begin(
    connection: PgConnection, derivation: Derivation, job_id: int, lease_s: float
) -> Claim | None:
    """Take the lease. None: somebody else holds it, or the job is done."""
    row = fetch_row(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table}
            SET attempts = attempts + 1, dispatch_count = 0, begun_at = now(),
                fencing_token = nextval('fencing_tokens'),
                lease_until = now() + make_interval(secs => %(lease_s)s)
            WHERE {id} = %(job_id)s AND status = 'processing'
              AND (fencing_token IS NULL OR lease_until < now())
            RETURNING {id} AS job_id, conversation_id, {start} AS start, {end} AS "end",
                      fencing_token, attempts, in_backlog
            """,
        ),
        job_id=job_id,
        lease_s=lease_s,
    )
    return _claim(row) if row else None


def put_in_backlog(connection: PgConnection, due: Due) -> Due:
    """Let a job that has just been claimed wait behind the live ones, whoever sends it."""
    statement = statement_for(
        DERIVATIONS[due.kind], "UPDATE {table} SET in_backlog = true WHERE {id} = %(job_id)s"
    )
    execute(connection, statement, job_id=due.job_id)
    return replace(due, urgency="backlog")


def renew(
    connection: PgConnection, derivation: Derivation, fencing_tokens: list[int], lease_s: float
) -> set[int]:
    """Prolong leases. Returns the tokens that still hold one."""
    rows = fetch_rows(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table} SET lease_until = now() + make_interval(secs => %(lease_s)s)
            WHERE status = 'processing' AND fencing_token = ANY(%(fencing_tokens)s)
            RETURNING fencing_token
            """,
        ),
        fencing_tokens=fencing_tokens,
        lease_s=lease_s,
    )
    return {row["fencing_token"] for row in rows}


def give_back(
    connection: PgConnection, derivation: Derivation, claim: Claim, *, after_s: float, error: str
) -> bool:
    """A passing fault: leave the job to the sweep, not before `after_s`."""
    touched = execute(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table}
            SET fencing_token = NULL, error = %(error)s,
                lease_until = now() + make_interval(secs => %(after_s)s)
            WHERE {id} = %(job_id)s AND status = 'processing'
              AND fencing_token = %(fencing_token)s
            """,
        ),
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        after_s=after_s,
        error=error,
    )
    return touched == 1


def complete(
    connection: PgConnection, derivation: Derivation, claim: Claim, **columns: object
) -> bool:
    """Write the finished work into `columns`. False: the lease was lost; throw the work away.

    The conversation is locked before the row, in the order in which its deletion takes them; and
    a claim, which holds it too, sees this row either at work or completed.
    """
    touched = execute(
        connection,
        statement_for(
            derivation,
            """
            WITH held AS (
                SELECT conversation_id FROM conversations
                WHERE conversation_id = %(held_id)s
                FOR NO KEY UPDATE)
            UPDATE {table}
            SET status = 'completed', finished_at = now(), error = NULL, {columns}
            FROM held
            WHERE {table}.conversation_id = held.conversation_id
              AND {id} = %(job_id)s AND status = 'processing' AND fencing_token = %(token)s
            """,
            columns=_assignments(columns),
        ),
        held_id=claim.conversation_id,
        job_id=claim.job_id,
        token=claim.fencing_token,
        **columns,
    )
    return touched == 1


def fail(connection: PgConnection, derivation: Derivation, claim: Claim, error: str) -> bool:
    """Give up. A failed row blocks nothing: the next claim starts from the last completed one."""
    touched = execute(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table} SET status = 'failed', error = %(error)s, finished_at = now()
            WHERE {id} = %(job_id)s AND status = 'processing'
              AND fencing_token = %(fencing_token)s
            """,
        ),
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        error=error,
    )
    return touched == 1


def count_failures(connection: PgConnection, derivation: Derivation, claim: Claim) -> int:
    """How many jobs of this kind have failed in a row, in the claim's conversation."""
    row = fetch_row(
        connection,
        statement_for(
            derivation,
            """
            SELECT count(*) AS failures FROM {table}
            WHERE conversation_id = %(conversation_id)s AND status = 'failed'
              AND {id} > coalesce((SELECT max({id}) FROM {table}
                                   WHERE conversation_id = %(conversation_id)s
                                     AND status NOT IN ('failed', 'processing')), 0)
            """,
        ),
        conversation_id=claim.conversation_id,
    )
    return int(row["failures"]) if row else 0


def discard_from(
    connection: PgConnection,
    derivation: Derivation,
    conversation_id: ConversationId,
    sequence: int,
) -> int:
    """Message `sequence` is being replaced: what was made of it, and after it, no longer holds.

    Late workers are fenced out; the next round claims from the newest row that still holds.
    """
    return _discard(
        connection,
        derivation,
        "{end} >= %(sequence)s AND status IN ('processing', 'completed')",
        conversation_id,
        sequence,
    )


def discard_covering(
    connection: PgConnection,
    derivation: Derivation,
    conversation_id: ConversationId,
    sequence: int,
) -> int:
    """The same of the rows alone that cover the message."""
    return _discard(
        connection,
        derivation,
        "%(sequence)s BETWEEN {start} AND {end} AND status IN ('processing', 'completed')",
        conversation_id,
        sequence,
    )


def discard_at_work(
    connection: PgConnection,
    derivation: Derivation,
    conversation_id: ConversationId,
    sequence: int,
) -> int:
    """The same of a row alone that is being worked on, and may have read the message."""
    return _discard(
        connection,
        derivation,
        "{end} >= %(sequence)s AND status = 'processing'",
        conversation_id,
        sequence,
    )


def _discard(
    connection: PgConnection,
    derivation: Derivation,
    condition: LiteralString,
    conversation_id: ConversationId,
    sequence: int,
) -> int:
    """Nothing of the text is left in the rows."""
    return execute(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table}
            SET status = 'failed', fencing_token = NULL,
                finished_at = coalesce(finished_at, now()),
                error = 'message ' || %(sequence)s || ' was replaced' {emptied}
            WHERE conversation_id = %(conversation_id)s AND {condition}
            """,
            condition=statement_for(derivation, condition),
        ),
        conversation_id=conversation_id,
        sequence=sequence,
    )


def _assignments(columns: Iterable[str]) -> Composed:
    pairs = (SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in columns)
    return SQL(", ").join(pairs)


def _claim(row: Row) -> Claim:
    return Claim(
        job_id=row["job_id"],
        conversation_id=read_conversation_id(row),
        span=Span(start=row["start"], end=row["end"]),
        fencing_token=row["fencing_token"],
        attempts=row["attempts"],
        in_backlog=row["in_backlog"],
    )

"""Jobs whose lease has expired: they are freed and sent again, or they fail."""

from __future__ import annotations

from typing import NamedTuple

from shared.db import PgConnection
from shared.models import ConversationId, Due, UserId
from shared.models.job_kinds import Derivation
from shared.policy.retry import LONGEST_LEASE_S
from shared.store.lease.statements import read_rows
from shared.store.rows import read_conversation_id

# A job that was sent but not begun is sent again after 1, 2, 4 and then 8 times the grace period.
MAX_DISPATCH_DOUBLINGS = 3


class Exhausted(NamedTuple):
    """A job that failed because its attempts were used up."""

    user_id: UserId
    conversation_id: ConversationId
    job_id: int


def fail_exhausted(
    connection: PgConnection, derivation: Derivation, *, max_attempts: int, limit: int
) -> list[Exhausted]:
    """Fail the jobs whose lease has run out and whose attempts are used up. Sorted by user."""
    rows = read_rows(
        connection,
        derivation,
        """
        UPDATE {table}
        SET status = 'failed', finished_at = now(), fencing_token = NULL{without_parts},
            error = coalesce(error || '; ', '') || 'gave up after ' || attempts || ' attempts'
        WHERE {id} IN (
            SELECT {id} FROM {table}
            WHERE status = 'processing' AND lease_until < now()
              AND attempts >= %(max_attempts)s
            ORDER BY lease_until LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        RETURNING {id} AS job_id, conversation_id, user_id
        """,
        max_attempts=max_attempts,
        limit=limit,
    )
    return sorted(
        Exhausted(UserId(row["user_id"]), read_conversation_id(row), row["job_id"]) for row in rows
    )


def take_overdue(
    connection: PgConnection, derivation: Derivation, *, grace_s: float, limit: int
) -> list[Due]:
    """Free the jobs whose lease has run out. The caller sends them again.

    Leases that expire implausibly late count, too: the database's clock was set back.
    """
    rows = read_rows(
        connection,
        derivation,
        """
        UPDATE {table} AS job
        SET fencing_token = NULL, dispatch_count = dispatch_count + 1,
            lease_until = now() + make_interval(secs => %(grace_s)s
                * power(2, least(dispatch_count, %(max_doublings)s)))
        FROM (SELECT {id}, fencing_token FROM {table}
              WHERE status = 'processing'
                AND (lease_until < now()
                     OR lease_until > now() + make_interval(secs => %(longest_s)s))
              ORDER BY lease_until LIMIT %(limit)s
              FOR UPDATE SKIP LOCKED) AS overdue
        WHERE job.{id} = overdue.{id}
        RETURNING job.{id} AS job_id, job.conversation_id,
                  CASE WHEN in_backlog THEN 'backlog'
                       WHEN overdue.fencing_token IS NOT NULL THEN 'lost'
                       ELSE 'live' END AS urgency
        """,
        longest_s=LONGEST_LEASE_S,
        grace_s=grace_s,
        max_doublings=MAX_DISPATCH_DOUBLINGS,
        limit=limit,
    )
    return [
        Due(
            kind=derivation.kind,
            job_id=row["job_id"],
            conversation_id=read_conversation_id(row),
            urgency=row["urgency"],
        )
        for row in rows
    ]

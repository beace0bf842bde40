"""Table `tidyings`: the jobs that tidy a user's facts.

A user has at most one at a time. It belongs to the conversation in which the user spoke last.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from shared.db import PgConnection, execute, fetch_row, prepared
from shared.models import Claim, Due, UserId
from shared.models.job_kinds import TIDYING
from shared.store.lease import claims
from shared.store.rows import read_conversation_id


class Newest(NamedTuple):
    """The newest tidying of a user."""

    has_failed: bool
    #: None: it waits or runs.
    finished_at: datetime | None


def claim_tidying(connection: PgConnection, user_id: UserId, grace_s: float) -> Due | None:
    """Insert the `processing` row. None: there is one, or the user has said nothing yet."""
    row = fetch_row(
        connection,
        """
        INSERT INTO tidyings (conversation_id, user_id, start_sequence, end_sequence, status,
                              lease_until)
        SELECT conversation_id, user_id, said, said, 'processing',
               now() + make_interval(secs => %(grace_s)s)
        FROM (SELECT conversation_id, user_id, last_sequence - last_sequence %% 2 AS said
              FROM conversations
              WHERE user_id = %(user_id)s AND last_sequence >= 0
              ORDER BY updated_at DESC LIMIT 1) AS newest
        ON CONFLICT (user_id) WHERE status = 'processing' DO NOTHING
        RETURNING id, conversation_id
        """,
        user_id=user_id,
        grace_s=grace_s,
    )
    return (
        Due(kind="tidying", job_id=row["id"], conversation_id=read_conversation_id(row))
        if row
        else None
    )


def is_due(connection: PgConnection, user_id: UserId, pause_s: float) -> bool:
    """Whether the user was there `pause_s` seconds ago, and no tidying was claimed since."""
    row = fetch_row(
        connection,
        prepared("""
        SELECT 1 FROM users u
        WHERE u.user_id = %(user_id)s
          AND u.created_at < now() - make_interval(secs => %(pause_s)s)
          AND NOT EXISTS (SELECT FROM tidyings t
                          WHERE t.user_id = u.user_id
                            AND t.created_at > now() - make_interval(secs => %(pause_s)s))
        """),
        user_id=user_id,
        pause_s=pause_s,
    )
    return row is not None


def complete_tidying(connection: PgConnection, claim: Claim) -> bool:
    """Complete a job, and delete former tidyings but the last completed one.

    False: the lease was lost.
    """
    completed = claims.complete(connection, TIDYING, claim)
    if completed:
        execute(
            connection,
            """
            DELETE FROM tidyings
            WHERE user_id = %(user_id)s AND status = 'completed' AND id <> %(job_id)s
            """,
            user_id=claim.user_id,
            job_id=claim.job_id,
        )
    return completed


def find_newest(connection: PgConnection, user_id: UserId) -> Newest | None:
    row = fetch_row(
        connection,
        """
        SELECT status = 'failed' AS has_failed, finished_at FROM tidyings
        WHERE user_id = %(user_id)s ORDER BY created_at DESC LIMIT 1
        """,
        user_id=user_id,
    )
    return Newest(**row) if row else None

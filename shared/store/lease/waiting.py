"""Jobs that wait for a slot at the memory model: read before they begin, or put back."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, execute, fetch_row
from shared.models import UserId
from shared.store.lease.kinds import Derivation, prepared_for, statement_for

MOST_CUTS = 8  # half as much is read after each: more would change nothing


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A job that no worker has begun, or whose worker is gone."""

    user_id: UserId
    in_backlog: bool
    #: Seconds since it was claimed.
    age_s: float


def find_waiting(connection: PgConnection, derivation: Derivation, job_id: int) -> Waiting | None:
    """A job that could begin now. None: another worker has it, or it is done."""
    row = fetch_row(
        connection,
        prepared_for(
            derivation,
            """
            SELECT user_id, in_backlog, extract(epoch FROM now() - created_at)::float8 AS age_s
            FROM {table}
            WHERE {id} = %(job_id)s AND status = 'processing'
              AND (fencing_token IS NULL OR lease_until < now())
            """,
        ),
        job_id=job_id,
    )
    if row is None:
        return None
    user_id = UserId(row["user_id"])
    return Waiting(user_id=user_id, in_backlog=row["in_backlog"], age_s=row["age_s"])


def postpone(
    connection: PgConnection,
    derivation: Derivation,
    job_id: int,
    fencing_token: int | None,
    after_s: float,
) -> bool:
    """Free a job without counting an attempt. The sweep sends it again after `after_s` seconds.

    If a worker had begun it, its call was cut off, which is counted.

    `fencing_token` is the token of the worker that began the job; None if no worker did. Returns
    False if the lease was lost.
    """
    touched = execute(
        connection,
        statement_for(
            derivation,
            """
            UPDATE {table}
            SET attempts = attempts - CASE WHEN fencing_token IS NULL THEN 0 ELSE 1 END,
                cut_count = least(cut_count + CASE WHEN fencing_token IS NULL THEN 0 ELSE 1 END,
                                  %(most_cuts)s),
                fencing_token = NULL, dispatch_count = 0,
                lease_until = now() + make_interval(secs => %(after_s)s)
            WHERE {id} = %(job_id)s AND status = 'processing'
              AND fencing_token IS NOT DISTINCT FROM %(fencing_token)s::bigint
            """,
        ),
        job_id=job_id,
        fencing_token=fencing_token,
        after_s=after_s,
        most_cuts=MOST_CUTS,
    )
    return touched == 1

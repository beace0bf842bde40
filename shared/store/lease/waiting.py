"""Jobs that wait for a slot at the memory model: read before they begin, or put back."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection
from shared.models import UserId
from shared.models.job_kinds import Derivation
from shared.store.lease.statements import change_rows, read_row


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A job that no worker has begun, or whose worker is gone."""

    user_id: UserId
    in_backlog: bool


def find_waiting(connection: PgConnection, derivation: Derivation, job_id: int) -> Waiting | None:
    """A job that could begin now. None: another worker has it, or it is done."""
    row = read_row(
        connection,
        derivation,
        """
        SELECT user_id, in_backlog FROM {table}
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND (fencing_token IS NULL OR lease_until < now())
        """,
        job_id=job_id,
    )
    if row is None:
        return None
    return Waiting(user_id=UserId(row["user_id"]), in_backlog=row["in_backlog"])


def postpone(
    connection: PgConnection,
    derivation: Derivation,
    job_id: int,
    fencing_token: int | None,
    after_s: float,
) -> bool:
    """Free a job without counting an attempt. The sweep sends it again after `after_s` seconds.

    `fencing_token` is the token of the worker that began the job; None if no worker did. Returns
    False if the lease was lost.
    """
    touched = change_rows(
        connection,
        derivation,
        """
        UPDATE {table}
        SET attempts = attempts - CASE WHEN fencing_token IS NULL THEN 0 ELSE 1 END,
            fencing_token = NULL, dispatch_count = 0,
            lease_until = now() + make_interval(secs => %(after_s)s)
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND fencing_token IS NOT DISTINCT FROM %(fencing_token)s::bigint
        """,
        job_id=job_id,
        fencing_token=fencing_token,
        after_s=after_s,
    )
    return touched == 1

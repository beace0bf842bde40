"""What an unfinished job has read: the model's answers about the first parts of its messages.

They are text of the conversation, so `complete`, `fail` and every discarding take them out.
"""

from __future__ import annotations

from typing import Any

from psycopg2.extras import Json

from shared.db import PgConnection
from shared.models import Claim
from shared.models.job_kinds import Derivation
from shared.store.lease.statements import change_rows, read_row


def list_parts(
    connection: PgConnection, derivation: Derivation, claim: Claim
) -> list[dict[str, Any]]:
    """The parts in the order in which they were added; none if the lease was lost."""
    row = read_row(
        connection,
        derivation,
        """
        SELECT parts FROM {table}
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND fencing_token = %(fencing_token)s
        """,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
    )
    return (row["parts"] or []) if row else []


def add_part(
    connection: PgConnection, derivation: Derivation, claim: Claim, part: dict[str, Any]
) -> None:
    """Add a part, unless the lease was lost."""
    change_rows(
        connection,
        derivation,
        """
        UPDATE {table} SET parts = coalesce(parts, '[]') || %(part)s::jsonb
        WHERE {id} = %(job_id)s AND status = 'processing'
          AND fencing_token = %(fencing_token)s
        """,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        part=Json([part]),
    )

"""Table `titles`: titles that were made for conversations, and the jobs that make them.

A conversation that has a title, or that was given one before, is left as it is: so what the user
wrote is never overwritten, and what the user took away does not come back.
"""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row
from shared.models import Claim, ConversationId, Due, Span
from shared.store.lease import claims, lagging
from shared.store.lease.kinds import TITLE
from shared.store.lease.lagging import Look


def claim_title(
    connection: PgConnection, conversation_id: ConversationId, span: Span, grace_s: float
) -> Due | None:
    """Insert the `processing` row. None: one is there already, or a title is not wanted."""
    row = fetch_row(
        connection,
        """
        INSERT INTO titles (conversation_id, start_sequence, end_sequence, status, lease_until)
        SELECT conversation_id, %(start)s, %(end)s, 'processing',
               now() + make_interval(secs => %(grace_s)s)
        FROM conversations c
        WHERE conversation_id = %(conversation_id)s AND title IS NULL
          AND NOT EXISTS (SELECT 1 FROM titles
                          WHERE titles.conversation_id = c.conversation_id
                            AND titles.status = 'completed')
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO NOTHING
        RETURNING id
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        grace_s=grace_s,
    )
    return Due(kind="title", job_id=row["id"]) if row else None


def complete_title(
    connection: PgConnection,
    claim: Claim,
    *,
    title: str | None,
    model: str,
    prompt_version: str | None,
) -> bool:
    """Give the title, unless the user has given one meanwhile.

    False: the lease was lost; the result must be thrown away.
    """
    completed = claims.complete(
        connection, TITLE, claim, title=title, model=model, prompt_version=prompt_version
    )
    if completed:
        _give(connection, claim.conversation_id, title)
    return completed


def _give(connection: PgConnection, conversation_id: ConversationId, title: str | None) -> None:
    execute(
        connection,
        """
        UPDATE conversations SET title = %(title)s
        WHERE conversation_id = %(conversation_id)s AND title IS NULL
        """,
        conversation_id=conversation_id,
        title=title,
    )


def take_back(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Message `sequence` is being replaced: a title that was made of it goes, the user's stays."""
    execute(
        connection,
        """
        UPDATE conversations c SET title = NULL
        FROM titles
        WHERE c.conversation_id = %(conversation_id)s
          AND titles.conversation_id = c.conversation_id AND titles.status = 'completed'
          AND titles.end_sequence >= %(sequence)s AND titles.title = c.title
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def list_lagging(connection: PgConnection, look: Look) -> list[tuple[ConversationId, int]]:
    """Conversations without a title: (conversation_id, last_sequence)."""
    return lagging.list_lagging(
        connection,
        TITLE,
        look,
        due="c.title IS NULL AND newest.status IN ('complete', 'partial')",
        covered="job.status = 'completed'",
    )

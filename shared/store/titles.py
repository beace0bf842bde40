"""Table `titles`: titles that were made for conversations, and the jobs that make them.

A conversation that has a title, or that was given one before, is left as it is: so what the user
wrote is never overwritten, and what the user took away does not come back.
"""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import Claim, ConversationId, Due, Span


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
    connection: PgConnection, claim: Claim, *, title: str | None, model: str, prompt_version: str
) -> bool:
    """Give the title, unless the user has given one meanwhile.

    False: the lease was lost; the result must be thrown away. The conversation is locked before
    the row, in the order in which its deletion takes them.
    """
    touched = execute(
        connection,
        """
        WITH held AS (
            SELECT conversation_id FROM conversations
            WHERE conversation_id = %(conversation_id)s
            FOR NO KEY UPDATE)
        UPDATE titles
        SET status = 'completed', finished_at = now(), error = NULL, title = %(title)s,
            model = %(model)s, prompt_version = %(prompt_version)s
        FROM held
        WHERE titles.conversation_id = held.conversation_id
          AND id = %(job_id)s AND status = 'processing' AND fencing_token = %(fencing_token)s
        """,
        conversation_id=claim.conversation_id,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        title=title,
        model=model,
        prompt_version=prompt_version,
    )
    if touched:
        _give(connection, claim.conversation_id, title)
    return touched == 1


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


def list_lagging(
    connection: PgConnection, *, quiet_s: float, within_s: float | None, pause_s: float, limit: int
) -> list[tuple[ConversationId, int]]:
    """Conversations without a title and with nothing at it: (conversation_id, last_sequence).

    Only those quiet for `quiet_s` (a lively one claims in its next round); with `within_s` only
    those that were lively that recently; and none whose last try failed less than `pause_s` ago.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT c.conversation_id, c.last_sequence
        FROM conversations c
        JOIN messages m
          ON m.conversation_id = c.conversation_id AND m.sequence_number = c.last_sequence
        WHERE c.updated_at < now() - make_interval(secs => %(quiet_s)s)
          AND (%(within_s)s::float8 IS NULL
               OR c.updated_at > now() - make_interval(secs => %(within_s)s::float8))
          AND c.title IS NULL AND c.mode <> 'off' AND m.status IN ('complete', 'partial')
          AND NOT EXISTS (
              SELECT 1 FROM titles
              WHERE titles.conversation_id = c.conversation_id
                AND (titles.status IN ('processing', 'completed')
                     OR titles.finished_at > now() - make_interval(secs => %(pause_s)s)))
        ORDER BY c.updated_at
        LIMIT %(limit)s
        """,
        quiet_s=quiet_s,
        within_s=within_s,
        pause_s=pause_s,
        limit=limit,
    )
    return [(ConversationId(str(row["conversation_id"])), row["last_sequence"]) for row in rows]

"""Table `fact_extractions`: how far each conversation has been read for facts."""

from __future__ import annotations

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import Claim, ConversationId, Due, Heard


def claim_extraction(
    connection: PgConnection, conversation_id: ConversationId, end: int, grace_s: float
) -> Due | None:
    """Insert the `processing` row for all that was not read yet, up to user message `end`.

    None: there is nothing new, or a row is there already; one that nobody has begun is made to
    reach `end` too, so that a burst of messages is read at once.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO fact_extractions
            (conversation_id, user_id, start_sequence, end_sequence, status, lease_until)
        SELECT c.conversation_id, c.user_id, unread.start, %(end)s, 'processing',
               now() + make_interval(secs => %(grace_s)s)
        FROM conversations c,
             (SELECT coalesce(max(end_sequence) + 1, 0) AS start FROM fact_extractions
              WHERE conversation_id = %(conversation_id)s AND status = 'completed') AS unread
        WHERE c.conversation_id = %(conversation_id)s AND unread.start <= %(end)s
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO UPDATE
        SET end_sequence = greatest(fact_extractions.end_sequence, excluded.end_sequence)
        WHERE fact_extractions.fencing_token IS NULL
        RETURNING id, xmax = 0 AS is_new
        """,
        conversation_id=conversation_id,
        end=end,
        grace_s=grace_s,
    )
    return Due(kind="facts", job_id=row["id"]) if row and row["is_new"] else None


def complete_extraction(
    connection: PgConnection,
    claim: Claim,
    *,
    end: int,
    model: str | None,
    prompt_version: str | None,
) -> bool:
    """False: the lease was lost; the result must be thrown away.

    `end` may lie before the claim's: the rest is then claimed anew. The conversation is locked
    before the row, in the order in which its deletion takes them.
    """
    touched = execute(
        connection,
        """
        WITH held AS (
            SELECT conversation_id FROM conversations
            WHERE conversation_id = %(conversation_id)s
            FOR NO KEY UPDATE)
        UPDATE fact_extractions
        SET status = 'completed', finished_at = now(), error = NULL, end_sequence = %(end)s,
            model = %(model)s, prompt_version = %(prompt_version)s
        FROM held
        WHERE fact_extractions.conversation_id = held.conversation_id
          AND id = %(job_id)s AND status = 'processing' AND fencing_token = %(fencing_token)s
        """,
        conversation_id=claim.conversation_id,
        job_id=claim.job_id,
        fencing_token=claim.fencing_token,
        end=end,
        model=model,
        prompt_version=prompt_version,
    )
    return touched == 1


def list_heard(connection: PgConnection, claim: Claim, limit: int) -> list[Heard]:
    """The oldest user messages of the claim's span that no extraction has read, in order."""
    rows = fetch_rows(
        connection,
        """
        SELECT m.sequence_number, m.content, m.created_at,
               coalesce(m.user_turn, u.turn_count) AS turn
        FROM messages m
        JOIN conversations c USING (conversation_id)
        JOIN users u ON u.user_id = c.user_id
        WHERE m.conversation_id = %(conversation_id)s AND m.role = 'user'
          AND m.sequence_number BETWEEN %(start)s AND %(end)s
          AND m.sequence_number > coalesce(
              (SELECT max(end_sequence) FROM fact_extractions
               WHERE conversation_id = %(conversation_id)s AND status = 'completed'), -1)
        ORDER BY m.sequence_number
        LIMIT %(limit)s
        """,
        conversation_id=claim.conversation_id,
        start=claim.span.start,
        end=claim.span.end,
        limit=limit,
    )
    return [_heard(row) for row in rows]


def list_lagging(
    connection: PgConnection, *, quiet_s: float, within_s: float | None, pause_s: float, limit: int
) -> list[tuple[ConversationId, int]]:
    """Conversations with unread user messages and nothing at them: (id, last_sequence).

    Only those quiet for `quiet_s` (a lively one claims in its next round); with `within_s` only
    those that were lively that recently; and none whose last try failed less than `pause_s` ago.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT c.conversation_id, c.last_sequence
        FROM conversations c
        WHERE c.updated_at < now() - make_interval(secs => %(quiet_s)s)
          AND (%(within_s)s::float8 IS NULL
               OR c.updated_at > now() - make_interval(secs => %(within_s)s::float8))
          AND c.last_sequence >= 0 AND c.mode <> 'off'
          AND NOT EXISTS (
              SELECT 1 FROM fact_extractions AS job
              WHERE job.conversation_id = c.conversation_id
                AND (job.status = 'processing'
                     OR (job.status = 'completed'
                         AND job.end_sequence >= c.last_sequence - c.last_sequence %% 2)
                     OR (job.status = 'failed'
                         AND job.finished_at > now() - make_interval(secs => %(pause_s)s))))
        ORDER BY c.updated_at
        LIMIT %(limit)s
        """,
        quiet_s=quiet_s,
        within_s=within_s,
        pause_s=pause_s,
        limit=limit,
    )
    return [(ConversationId(str(row["conversation_id"])), row["last_sequence"]) for row in rows]


def _heard(row: Row) -> Heard:
    return Heard(
        sequence_number=row["sequence_number"],
        role="user",
        content=row["content"],
        created_at=row["created_at"],
        turn=row["turn"],
    )

"""Table `fact_extractions`: how far each conversation has been read for facts."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows, prepared
from shared.models import Claim, ConversationId, Due, Heard
from shared.models.job_kinds import FACTS
from shared.store.lease import claims
from shared.store.lease.lagging import LagRule

LAG_RULE = LagRule(
    derivation=FACTS,
    due="c.last_sequence >= 0",
    covered="""
        job.status = 'completed' AND job.end_sequence >= c.last_sequence - c.last_sequence %% 2
        AND NOT EXISTS (SELECT FROM messages unread
                        WHERE unread.conversation_id = c.conversation_id
                          AND unread.unread_by <> %(model)s)
        """,
)


def claim_extraction(
    connection: PgConnection,
    conversation_id: ConversationId,
    end: int,
    grace_s: float,
    *,
    not_by: str | None = None,
) -> Due | None:
    """Insert the `processing` row for all unread messages up to user message `end`.

    `not_by` also claims those that another model than this one could not read; "" is no model.
    None: there is nothing new, or there is a job already. A job that no worker has begun is
    extended to `end`, so that one job reads a burst of messages.
    """
    row = fetch_row(
        connection,
        prepared("""
        INSERT INTO fact_extractions
            (conversation_id, user_id, start_sequence, end_sequence, status, lease_until)
        SELECT c.conversation_id, c.user_id, unread.start, %(end)s, 'processing',
               now() + make_interval(secs => %(grace_s)s)
        FROM conversations c,
             (SELECT least(
                  (SELECT coalesce(max(end_sequence) + 1, 0) FROM fact_extractions
                   WHERE conversation_id = %(conversation_id)s AND status = 'completed'),
                  (SELECT min(sequence_number) FROM messages
                   WHERE conversation_id = %(conversation_id)s AND unread_by <> %(not_by)s)
              ) AS start) AS unread
        WHERE c.conversation_id = %(conversation_id)s AND unread.start <= %(end)s
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO UPDATE
        SET start_sequence = least(fact_extractions.start_sequence, excluded.start_sequence),
            end_sequence = greatest(fact_extractions.end_sequence, excluded.end_sequence)
        WHERE fact_extractions.fencing_token IS NULL
        RETURNING id, xmax = 0 AS is_new
        """),
        conversation_id=conversation_id,
        end=end,
        grace_s=grace_s,
        not_by=not_by,
    )
    return (
        Due(kind="facts", job_id=row["id"], conversation_id=conversation_id)
        if row and row["is_new"]
        else None
    )


def complete_extraction(
    connection: PgConnection,
    claim: Claim,
    *,
    end: int,
    model: str | None,
    prompt_version: str | None,
) -> bool:
    """Complete a job. False: its lease was lost, and nothing was written.

    `end` is the last message that was read. It may lie before the claim's end: the caller claims
    the rest anew. It may also lie before messages that an earlier job has read.
    """
    if end < claim.span.end:
        end = max(end, claims.find_end(connection, FACTS, claim.conversation_id))
    return claims.complete(
        connection, FACTS, claim, end_sequence=end, model=model, prompt_version=prompt_version
    )


def mark_unread(
    connection: PgConnection, claim: Claim, unread: Sequence[int], *, end: int, model: str
) -> None:
    """Mark messages that `model` gave no usable answer about; the others up to `end` were read."""
    execute(
        connection,
        """
        UPDATE messages
        SET unread_by = CASE WHEN sequence_number = ANY(%(unread)s) THEN %(model)s END
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number BETWEEN %(start)s AND %(end)s
          AND (unread_by IS NOT NULL OR sequence_number = ANY(%(unread)s))
        """,
        conversation_id=claim.conversation_id,
        start=claim.span.start,
        end=end,
        unread=list(unread),
        model=model,
    )


def count_unread(connection: PgConnection, conversation_id: ConversationId) -> int:
    """Messages that no model has given a usable answer about. They can be read again."""
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count FROM messages
        WHERE conversation_id = %(conversation_id)s AND unread_by IS NOT NULL
        """,
        conversation_id=conversation_id,
    )
    return row["count"] if row else 0


def list_heard(connection: PgConnection, claim: Claim, limit: int) -> list[Heard]:
    """The oldest unread user messages of the claim's span, oldest first.

    Those that no model could read count as unread: the span reaches them if they were claimed.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        SELECT m.sequence_number, m.content, m.created_at,
               coalesce(m.user_turn, u.turn_count) AS turn,
               m.sequence_number <= coalesce(c.imported_until, -1) AS is_imported,
               m.withheld_at IS NULL AND m.sequence_number > coalesce(c.imported_until, -1)
                   AS has_no_wish,
               m.unread_by IS NOT NULL AS is_read_again
        FROM messages m
        JOIN conversations c USING (conversation_id)
        JOIN users u ON u.user_id = c.user_id
        WHERE m.conversation_id = %(conversation_id)s AND m.role = 'user'
          AND m.sequence_number BETWEEN %(start)s AND %(end)s AND m.deleted_at IS NULL
          AND (m.withheld_at IS NULL OR m.withheld_at = m.created_at)  -- not what was forgotten
          AND (m.unread_by IS NOT NULL OR m.sequence_number > coalesce(
              (SELECT max(end_sequence) FROM fact_extractions
               WHERE conversation_id = %(conversation_id)s AND status = 'completed'), -1))
        ORDER BY m.sequence_number
        LIMIT %(limit)s
        """),
        conversation_id=claim.conversation_id,
        start=claim.span.start,
        end=claim.span.end,
        limit=limit,
    )
    return [_heard(row) for row in rows]


def _heard(row: Row) -> Heard:
    return Heard(
        sequence_number=row["sequence_number"],
        role="user",
        content=row["content"],
        created_at=row["created_at"],
        turn=row["turn"],
        is_imported=row["is_imported"],
        has_no_wish=row["has_no_wish"],
        is_read_again=row["is_read_again"],
    )

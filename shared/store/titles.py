"""Table `titles`: the jobs that make titles, and the titles that they made.

No job is claimed for a conversation that has a title, or for which such a job has completed. So the
user's own title is never overwritten, and a title that the user removed does not come back.
"""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row, prepared
from shared.models import Claim, ConversationId, Due, Span
from shared.models.job_kinds import TITLE
from shared.store.lease import claims
from shared.store.lease.lagging import LagRule

LAG_RULE = LagRule(
    derivation=TITLE, due="c.title IS NULL AND newest.status IN ('complete', 'partial')"
)


def claim_title(
    connection: PgConnection, conversation_id: ConversationId, span: Span, grace_s: float
) -> Due | None:
    """Insert the `processing` row. None: there is one, or the conversation needs no title."""
    row = fetch_row(
        connection,
        prepared("""
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
        """),
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        grace_s=grace_s,
    )
    return Due(kind="title", job_id=row["id"], conversation_id=conversation_id) if row else None


def complete_title(
    connection: PgConnection,
    claim: Claim,
    *,
    title: str | None,
    model: str,
    prompt_version: str | None,
) -> bool:
    """Give the chat the title, unless it has one meanwhile. The caller has locked the user.

    False: the lease was lost, and nothing was written.
    """
    completed = claims.complete(
        connection, TITLE, claim, title=title, model=model, prompt_version=prompt_version
    )
    if completed:
        execute(
            connection,
            """
            UPDATE conversations SET title = %(title)s
            WHERE title IS NULL
              AND chat_id = (SELECT chat_id FROM conversations
                             WHERE conversation_id = %(conversation_id)s)
            """,
            conversation_id=claim.conversation_id,
            title=title,
        )
    return completed


def discard_title(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Remove the chat's title if a job made it from message `sequence` or later ones: they change.

    The caller has locked the user.
    """
    execute(
        connection,
        """
        UPDATE conversations c SET title = NULL
        FROM titles JOIN conversations changed USING (conversation_id)
        WHERE changed.conversation_id = %(conversation_id)s AND c.chat_id = changed.chat_id
          AND titles.status = 'completed' AND titles.end_sequence >= %(sequence)s
          AND titles.title = c.title
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )

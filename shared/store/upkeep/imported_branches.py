"""Tables `conversations` and `messages`: branches, as an import finds and marks them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row
from shared.models import ConversationId
from shared.store.upkeep.imported_conversations import ImportedMessage


def count_shared(
    connection: PgConnection, parent: ConversationId, messages: Sequence[ImportedMessage]
) -> int:
    """How many of the messages, from the first on, the conversation has as they are."""
    row = fetch_row(
        connection,
        """
        SELECT coalesce(min(place - 1) FILTER (WHERE m.role IS DISTINCT FROM given.role
                   OR m.content IS DISTINCT FROM given.content OR m.deleted_at IS NOT NULL),
               count(*)) AS count
        FROM ROWS FROM (jsonb_to_recordset(%(rows)s::jsonb) AS (role text, content text))
             WITH ORDINALITY AS given (role, content, place)
        LEFT JOIN messages m
          ON m.conversation_id = %(parent)s AND m.sequence_number = place - 1
        """,
        parent=parent,
        rows=json.dumps(
            [{"role": message.role, "content": message.content} for message in messages],
            ensure_ascii=False,
        ),
    )
    return int(row["count"]) if row else 0


def mark_branch(
    connection: PgConnection, branch: ConversationId, parent: ConversationId, at: int
) -> None:
    """The branch's messages before `at` are copies, of which memory reads the originals.

    What is set of the parent's chat holds for the branch.
    """
    arguments = {"branch": branch, "parent": parent, "at": at}
    execute(
        connection,
        """
        UPDATE conversations branch
        SET branched_from = %(parent)s, branched_at = %(at)s, chat_id = parent.chat_id,
            title = parent.title, model = parent.model, persona_id = parent.persona_id,
            project = parent.project, is_pinned = parent.is_pinned, is_archived = parent.is_archived
        FROM conversations parent
        WHERE branch.conversation_id = %(branch)s AND parent.conversation_id = %(parent)s
        """,
        **arguments,
    )
    if at == 0:
        return
    execute(
        connection,
        """
        INSERT INTO episodic_memory
            (user_id, conversation_id, turn_start, turn_end, status, lease_until, finished_at)
        SELECT user_id, conversation_id, 0, %(at)s - 1, 'deleted', now(), now()
        FROM conversations WHERE conversation_id = %(branch)s
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO fact_extractions
            (user_id, conversation_id, start_sequence, end_sequence, status, lease_until,
             finished_at)
        SELECT user_id, conversation_id, 0, %(at)s - 2, 'completed', now(), now()
        FROM conversations WHERE conversation_id = %(branch)s
        """,
        **arguments,
    )

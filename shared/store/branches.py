"""Tables `conversations` and `messages`: branches, and the messages that they share.

A branch has copies of the messages before `branched_at`. They are marked as copies, and search
passes them over.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows, prepared
from shared.models import Branch, ConversationId
from shared.store.rows import read_conversation_id


def add_branch(connection: PgConnection, parent: ConversationId, sequence: int) -> ConversationId:
    """Add a conversation with copies of all messages of `parent` before `sequence`.

    `sequence` is a user message. What was set of the chat holds for the branch, too. The caller has
    locked the user and the parent.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations (user_id, title, agent, mode, model, persona_id, project,
                                   is_pinned, is_archived, last_sequence, imported_until,
                                   branched_from, branched_at)
        SELECT user_id, title, agent, mode, model, persona_id, project, is_pinned, is_archived,
               %(sequence)s - 1, least(imported_until, %(sequence)s - 1), conversation_id,
               %(sequence)s
        FROM conversations c WHERE conversation_id = %(parent)s
        RETURNING conversation_id
        """,
        parent=parent,
        sequence=sequence,
    )
    assert row is not None  # noqa: S101 - the parent is locked
    branch = read_conversation_id(row)
    _copy_messages(connection, parent, branch, sequence)
    return branch


def _copy_messages(
    connection: PgConnection, source: ConversationId, target: ConversationId, before: int
) -> None:
    execute(
        connection,
        """
        INSERT INTO messages
            (conversation_id, sequence_number, role, content, status, model, created_at, error,
             trace, user_turn, name, finish_reason, deleted_at, withheld_at,
             is_copy)
        SELECT %(target)s, sequence_number, role, content, status, model, created_at, error,
               trace, user_turn, name, finish_reason, deleted_at, withheld_at, true
        FROM messages
        WHERE conversation_id = %(source)s AND sequence_number < %(before)s
        ORDER BY sequence_number
        """,
        source=source,
        target=target,
        before=before,
    )


def copy_derived(
    connection: PgConnection, source: ConversationId, target: ConversationId, before: int
) -> None:
    """Copy summary and title of messages before `before`, and mark what was read of them.

    Their episodes and facts stay where they are: they are found from every conversation.
    """
    arguments = {"source": source, "target": target, "before": before}
    execute(
        connection,
        """
        INSERT INTO memory (conversation_id, start_sequence, end_sequence, memory_text, points,
                            model, prompt_version, status, lease_until, created_at, finished_at)
        SELECT %(target)s, start_sequence, end_sequence, memory_text, points, model,
               prompt_version, status, now(), created_at, finished_at
        FROM memory
        WHERE conversation_id = %(source)s AND status = 'completed' AND end_sequence < %(before)s
        ORDER BY end_sequence DESC LIMIT 1
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO titles (conversation_id, start_sequence, end_sequence, title, model,
                            prompt_version, status, lease_until, created_at, finished_at)
        SELECT %(target)s, start_sequence, end_sequence, title, model, prompt_version, status,
               now(), created_at, finished_at
        FROM titles
        WHERE conversation_id = %(source)s AND status = 'completed' AND end_sequence < %(before)s
        ORDER BY id DESC LIMIT 1
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO episodic_memory
            (user_id, conversation_id, turn_start, turn_end, status, lease_until, finished_at)
        SELECT user_id, %(target)s, 0, max(turn_end), 'deleted', now(), now()
        FROM episodic_memory
        WHERE conversation_id = %(source)s AND status IN ('completed', 'deleted')
          AND turn_end < %(before)s
        GROUP BY user_id
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO fact_extractions
            (user_id, conversation_id, start_sequence, end_sequence, status, lease_until,
             finished_at)
        SELECT user_id, conversation_id, 0, %(before)s - 2, 'completed', now(), now()
        FROM conversations WHERE conversation_id = %(target)s AND %(before)s > 0
        """,
        **arguments,
    )


def list_family(connection: PgConnection, conversation_id: ConversationId) -> list[Branch]:
    """The conversation with all branches of its chat, oldest first."""
    rows = fetch_rows(
        connection,
        prepared("""
        SELECT conversation_id, branched_from, branched_at FROM conversations
        WHERE chat_id = (SELECT chat_id FROM conversations
                         WHERE conversation_id = %(conversation_id)s)
        ORDER BY created_at, conversation_id
        """),
        conversation_id=conversation_id,
    )
    return [_from_row(row) for row in rows]


def list_families(connection: PgConnection, ids: Collection[ConversationId]) -> list[list[Branch]]:
    """The branches of each chat that has several and any of these, newest activity first."""
    rows = fetch_rows(
        connection,
        """
        SELECT chat_id, conversation_id, branched_from, branched_at FROM conversations
        WHERE chat_id IN (
            SELECT given.chat_id FROM conversations given
            WHERE given.conversation_id = ANY(%(ids)s::uuid[])
              AND EXISTS (SELECT FROM conversations branch
                          WHERE branch.chat_id = given.chat_id
                            AND branch.conversation_id <> given.conversation_id))
        ORDER BY chat_id, updated_at DESC, conversation_id DESC
        """,
        ids=list(ids),
    )
    by_chat = groupby(rows, lambda row: row["chat_id"])
    return [[_from_row(row) for row in family] for _, family in by_chat]


def _from_row(row: Row) -> Branch:
    origin = row["branched_from"]
    return Branch(
        conversation_id=read_conversation_id(row),
        branched_from=ConversationId(str(origin)) if origin else None,
        branched_at=row["branched_at"] if origin else 0,
    )

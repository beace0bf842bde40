"""Table `messages`: deletion of single messages. Their rows stay, emptied, to keep the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import ConversationId, MessageKey, UserId
from shared.store.rows import read_message_key


def empty_messages(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> None:
    """Remove the texts and the idempotency keys from the rows.

    The trace of a reply contains corrected words of its question, which are deleted with the
    question, and what the model thought, which may repeat all messages before the reply. The caller
    has locked the conversation.
    """
    execute(
        connection,
        """
        UPDATE messages
        SET content = '', deleted_at = now(), trace = NULL, error = NULL, name = NULL,
            rating = NULL, idempotency_key = NULL, idempotency_user = NULL, unread_by = NULL
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[]) AND deleted_at IS NULL
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )
    execute(
        connection,
        """
        UPDATE messages SET trace = trace - 'corrected'
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(replies)s::integer[]) AND trace ? 'corrected'
        """,
        conversation_id=conversation_id,
        replies=[sequence + 1 for sequence in sequences],
    )
    execute(
        connection,
        """
        UPDATE messages SET trace = trace - 'reasoning'
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number > ANY(%(sequences)s::integer[]) AND trace ? 'reasoning'
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )


def is_round_open(connection: PgConnection, conversation_id: ConversationId) -> bool:
    row = fetch_row(
        connection,
        """
        SELECT 1 FROM messages
        WHERE conversation_id = %(conversation_id)s AND status = 'streaming'
        """,
        conversation_id=conversation_id,
    )
    return row is not None


def list_mentions(
    connection: PgConnection, user_id: UserId, patterns: Sequence[str]
) -> list[MessageKey]:
    """The user's messages that match any of these LIKE patterns."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id, sequence_number FROM messages
        WHERE user_id = %(user_id)s AND content ILIKE ANY (%(patterns)s::text[])
        """,
        user_id=user_id,
        patterns=list(patterns),
    )
    return [read_message_key(row) for row in rows]


def count_mentions(connection: PgConnection, user_id: UserId, patterns: Sequence[str]) -> int:
    """How many of the user's messages, and variants of replies, match any of these patterns."""
    row = fetch_row(
        connection,
        """
        SELECT (SELECT count(*) FROM messages m
                WHERE m.user_id = %(user_id)s AND m.content ILIKE ANY (%(patterns)s::text[]))
             + (SELECT count(*) FROM reply_variants v
                WHERE v.user_id = %(user_id)s AND v.content ILIKE ANY (%(patterns)s::text[]))
               AS count
        """,
        user_id=user_id,
        patterns=list(patterns),
    )
    return int(row["count"]) if row else 0

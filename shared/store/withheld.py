"""Messages that are withheld: kept in their conversation, and neither recalled nor found elsewhere.

`messages.withheld_at` is the time of the message that asks for it, so that one wish can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection, fetch_rows
from shared.models import ConversationId, MessageKey, UserId, Withheld
from shared.store.rows import read_message_key


def withhold(
    connection: PgConnection, user_id: UserId, keys: Sequence[MessageKey], asked_at: datetime
) -> list[MessageKey]:
    """Withhold these messages and all their copies. Returns those that were not withheld before."""
    rows = fetch_rows(
        connection,
        """
        WITH RECURSIVE given AS (
            SELECT unnest(%(conversations)s::uuid[]) AS conversation_id,
                   unnest(%(sequences)s::integer[]) AS sequence_number),
        everywhere AS (
            SELECT conversation_id, sequence_number FROM given
            UNION
            SELECT branch.conversation_id, everywhere.sequence_number
            FROM everywhere JOIN conversations branch
                ON branch.branched_from = everywhere.conversation_id
                AND branch.branched_at > everywhere.sequence_number)
        UPDATE messages m SET withheld_at = %(asked_at)s, unread_by = NULL
        FROM everywhere
        WHERE m.conversation_id = everywhere.conversation_id
          AND m.sequence_number = everywhere.sequence_number
          AND m.user_id = %(user_id)s AND m.withheld_at IS NULL AND m.deleted_at IS NULL
        RETURNING m.conversation_id, m.sequence_number
        """,
        **_columns(keys),
        user_id=user_id,
        asked_at=asked_at,
    )
    return [read_message_key(row) for row in rows]


def release(connection: PgConnection, user_id: UserId, asked_at: datetime) -> list[MessageKey]:
    """Undo `withhold` for the wish of that time. Returns the messages that it had withheld."""
    rows = fetch_rows(
        connection,
        """
        UPDATE messages SET withheld_at = NULL
        WHERE user_id = %(user_id)s AND withheld_at = %(asked_at)s
        RETURNING conversation_id, sequence_number
        """,
        user_id=user_id,
        asked_at=asked_at,
    )
    return [read_message_key(row) for row in rows]


def list_wishes(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, limit: int
) -> list[Withheld]:
    """The newest messages of a conversation that ask to withhold something, in their order."""
    rows = fetch_rows(
        connection,
        """
        SELECT wish.sequence_number, wish.withheld_at, (
                   SELECT count(*) FROM messages other
                   WHERE other.user_id = wish.user_id AND other.withheld_at = wish.withheld_at
                     AND NOT other.is_copy
                     AND (other.conversation_id, other.sequence_number) NOT IN (
                         (wish.conversation_id, wish.sequence_number),
                         (wish.conversation_id, wish.sequence_number + 1))) AS other_count
        FROM messages wish
        WHERE wish.user_id = %(user_id)s AND wish.conversation_id = %(conversation_id)s
          AND wish.role = 'user' AND wish.withheld_at = wish.created_at
        ORDER BY wish.sequence_number DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        limit=limit,
    )
    return [
        Withheld(
            sequence=row["sequence_number"],
            asked_at=row["withheld_at"],
            other_count=row["other_count"],
        )
        for row in reversed(rows)
    ]


def _columns(keys: Sequence[MessageKey]) -> dict[str, list[object]]:
    return {
        "conversations": [key.conversation_id for key in keys],
        "sequences": [key.sequence_number for key in keys],
    }

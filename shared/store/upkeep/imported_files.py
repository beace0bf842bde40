"""Table `attachments`: files that an import gives to messages."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row, fetch_tuples
from shared.models import ConversationId


def list_positions(
    connection: PgConnection, conversation_id: ConversationId
) -> set[tuple[int, int]]:
    """The (sequence, position) of each file of a conversation."""
    rows = fetch_tuples(
        connection,
        """
        SELECT sequence_number, position FROM attachments
        WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
    )
    return {(sequence, position) for sequence, position in rows}


def lacks_file(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, position: int
) -> bool:
    """Whether the message exists and has no file in this place. Its conversation is locked."""
    row = fetch_row(
        connection,
        """
        SELECT FROM messages m
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND role = 'user' AND deleted_at IS NULL
          AND NOT EXISTS (
              SELECT FROM attachments a
              WHERE a.conversation_id = m.conversation_id
                AND a.sequence_number = m.sequence_number AND a.position = %(position)s)
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        position=position,
    )
    return row is not None


def give_to_message(
    connection: PgConnection,
    attachment_id: str,
    conversation_id: ConversationId,
    sequence: int,
    position: int,
) -> None:
    execute(
        connection,
        """
        UPDATE attachments
        SET conversation_id = %(conversation_id)s, sequence_number = %(sequence)s,
            position = %(position)s
        WHERE attachment_id = %(attachment_id)s
        """,
        attachment_id=attachment_id,
        conversation_id=conversation_id,
        sequence=sequence,
        position=position,
    )

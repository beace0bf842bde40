"""Table `unfolded_conversations`: chats whose words were indexed before spellings were folded."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_tuples
from shared.models import ConversationId, UserId


def list_unfolded(connection: PgConnection, limit: int) -> list[tuple[UserId, ConversationId]]:
    """Chats of all users, for upkeep."""
    return fetch_tuples(
        connection,
        """
        SELECT user_id, conversation_id::text FROM unfolded_conversations
        ORDER BY conversation_id LIMIT %(limit)s
        """,
        limit=limit,
    )


def index_again(connection: PgConnection, conversation_id: ConversationId, limit: int) -> None:
    """Index the next `limit` messages, and passages of files, of a chat; with the first, episodes.

    A chat that is done leaves the list. Writing a column computes the generated columns that depend
    on it. Words in ASCII alone have one form.
    """
    execute(
        connection,
        """
        UPDATE episodic_memory SET summary = summary
        WHERE conversation_id = %(conversation_id)s AND EXISTS (
            SELECT FROM unfolded_conversations
            WHERE conversation_id = %(conversation_id)s AND message_reached = -1);
        WITH next_messages AS (
            SELECT sequence_number FROM messages JOIN unfolded_conversations USING (conversation_id)
            WHERE conversation_id = %(conversation_id)s AND sequence_number > message_reached
            ORDER BY sequence_number LIMIT %(limit)s),
        next_passages AS (
            SELECT passage_id
            FROM attachments
            JOIN unfolded_conversations USING (conversation_id)
            JOIN file_passages USING (attachment_id)
            WHERE conversation_id = %(conversation_id)s AND passage_id > passage_reached
            ORDER BY passage_id LIMIT %(limit)s),
        indexed_messages AS (
            UPDATE messages SET content = content
            WHERE conversation_id = %(conversation_id)s AND content ~ '[^\\x01-\\x7f]'
              AND sequence_number IN (SELECT sequence_number FROM next_messages)),
        indexed_passages AS (
            UPDATE file_passages SET text = text
            WHERE text ~ '[^\\x01-\\x7f]'
              AND passage_id IN (SELECT passage_id FROM next_passages)),
        place AS (
            SELECT (SELECT max(sequence_number) FROM next_messages) AS message,
                   (SELECT max(passage_id) FROM next_passages) AS passage),
        done AS (
            DELETE FROM unfolded_conversations USING place
            WHERE conversation_id = %(conversation_id)s AND message IS NULL AND passage IS NULL)
        UPDATE unfolded_conversations
        SET message_reached = coalesce(message, message_reached),
            passage_reached = coalesce(passage, passage_reached)
        FROM place
        WHERE conversation_id = %(conversation_id)s
          AND (message IS NOT NULL OR passage IS NOT NULL)
        """,
        conversation_id=conversation_id,
        limit=limit,
    )

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


def index_again(connection: PgConnection, conversation_id: ConversationId) -> None:
    """Index the words of a chat's messages, episodes and files, and take it off the list.

    Writing a column computes the generated columns that depend on it. Words in ASCII alone have one
    form.
    """
    execute(
        connection,
        """
        UPDATE messages SET content = content
        WHERE conversation_id = %(conversation_id)s AND content ~ '[^\\x01-\\x7f]';
        UPDATE episodic_memory SET summary = summary WHERE conversation_id = %(conversation_id)s;
        UPDATE file_passages SET text = text WHERE attachment_id IN (
            SELECT attachment_id FROM attachments WHERE conversation_id = %(conversation_id)s);
        DELETE FROM unfolded_conversations WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
    )

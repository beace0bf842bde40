"""Counts of the rows about a user, or in one chat, that a deletion removes."""

from __future__ import annotations

from dataclasses import dataclass, fields

from shared.db import PgConnection, fetch_row
from shared.models import ConversationId, UserId


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Rows that contain something of what was said. What branches share counts once."""

    #: A chat with its branches is one.
    conversations: int = 0
    messages: int = 0
    #: Variants of replies that are not chosen.
    variants: int = 0
    attachments: int = 0
    summaries: int = 0
    episodes: int = 0
    titles: int = 0
    #: Vectors of messages, of episodes, and of passages of files.
    vectors: int = 0
    facts: int = 0
    suggestions: int = 0
    #: Fingerprints of deleted facts and dismissed suggestions.
    marks: int = 0
    imports: int = 0
    #: Links by which a chat can be read.
    shares: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
        })  # fmt: skip

    def __sub__(self, other: Counts) -> Counts:
        """The number of rows that went. A deletion may leave more marks than there were before."""
        return Counts(**{
            field.name: max(0, getattr(self, field.name) - getattr(other, field.name))
            for field in fields(self)
        })  # fmt: skip


def count_chat(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Counts:
    """The rows that are deleted with the chat. Facts that were learned from it stay."""
    row = fetch_row(
        connection,
        """
        WITH own AS (
            SELECT conversation_id, chat_id FROM conversations
            WHERE user_id = %(user_id)s
              AND chat_id = (SELECT chat_id FROM conversations
                             WHERE conversation_id = %(conversation_id)s))
        SELECT
            (SELECT count(DISTINCT chat_id) FROM own) AS conversations,
            (SELECT count(*) FROM messages JOIN own USING (conversation_id)
             WHERE deleted_at IS NULL AND NOT is_copy) AS messages,
            (SELECT count(*) FROM reply_variants JOIN own USING (conversation_id)) AS variants,
            (SELECT count(*) FROM attachments JOIN own USING (conversation_id)
             JOIN messages USING (conversation_id, sequence_number)
             WHERE NOT is_copy) AS attachments,
            (SELECT count(*) FROM memory JOIN own USING (conversation_id)
             WHERE memory_text IS NOT NULL) AS summaries,
            (SELECT count(*) FROM episodic_memory JOIN own USING (conversation_id)
             WHERE summary IS NOT NULL) AS episodes,
            (SELECT count(*) FROM titles JOIN own USING (conversation_id)
             WHERE title IS NOT NULL) AS titles,
            (SELECT count(*) FROM message_embeddings JOIN own USING (conversation_id))
            + (SELECT count(*) FROM episodic_memory JOIN own USING (conversation_id)
               WHERE embedding IS NOT NULL)
            + (SELECT count(*) FROM attachments JOIN own USING (conversation_id)
               JOIN file_passages p USING (attachment_id)
               WHERE p.embedding IS NOT NULL) AS vectors,
            (SELECT count(*) FROM fact_suggestions f
             JOIN own ON own.conversation_id = f.source_conversation_id
             WHERE f.value IS NOT NULL) AS suggestions,
            (SELECT count(*) FROM shares JOIN own USING (conversation_id)) AS shares
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    return Counts(**row) if row else Counts()


def count_user(connection: PgConnection, user_id: UserId) -> Counts:
    row = fetch_row(
        connection,
        """
        WITH own AS (
            SELECT conversation_id, chat_id FROM conversations WHERE user_id = %(user_id)s)
        SELECT
            (SELECT count(DISTINCT chat_id) FROM own) AS conversations,
            (SELECT count(*) FROM messages JOIN own USING (conversation_id)
             WHERE deleted_at IS NULL AND NOT is_copy) AS messages,
            (SELECT count(*) FROM reply_variants WHERE user_id = %(user_id)s) AS variants,
            (SELECT count(*) FROM attachments a
             LEFT JOIN messages m USING (conversation_id, sequence_number)
             WHERE a.user_id = %(user_id)s AND m.is_copy IS NOT TRUE) AS attachments,
            (SELECT count(*) FROM memory JOIN own USING (conversation_id)
             WHERE memory_text IS NOT NULL) AS summaries,
            (SELECT count(*) FROM episodic_memory
             WHERE user_id = %(user_id)s AND summary IS NOT NULL) AS episodes,
            (SELECT count(*) FROM titles JOIN own USING (conversation_id)
             WHERE title IS NOT NULL) AS titles,
            (SELECT count(*) FROM message_embeddings WHERE user_id = %(user_id)s)
            + (SELECT count(*) FROM episodic_memory
               WHERE user_id = %(user_id)s AND embedding IS NOT NULL)
            + (SELECT count(*) FROM file_passages
               WHERE user_id = %(user_id)s AND embedding IS NOT NULL) AS vectors,
            (SELECT count(*) FROM structured_facts WHERE user_id = %(user_id)s) AS facts,
            (SELECT count(*) FROM fact_suggestions
             WHERE user_id = %(user_id)s AND value IS NOT NULL) AS suggestions,
            (SELECT count(*) FROM forgotten_facts WHERE user_id = %(user_id)s)
            + (SELECT count(*) FROM fact_suggestions
               WHERE user_id = %(user_id)s AND value IS NULL) AS marks,
            (SELECT count(*) FROM imports WHERE user_id = %(user_id)s) AS imports,
            (SELECT count(*) FROM shares WHERE user_id = %(user_id)s) AS shares
        """,
        user_id=user_id,
    )
    return Counts(**row) if row else Counts()

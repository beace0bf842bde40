"""Counts of the rows about a user, or in one conversation, that a deletion removes."""

from __future__ import annotations

from dataclasses import dataclass, fields

from shared.db import PgConnection, fetch_row
from shared.models import ConversationId, UserId


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Rows that contain something of what was said."""

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


def count_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Counts:
    """The rows that are deleted with a conversation. Facts that were learned from it stay."""
    row = fetch_row(
        connection,
        """
        SELECT
            (SELECT count(*) FROM conversations c
             WHERE c.conversation_id = own.id AND c.user_id = %(user_id)s) AS conversations,
            (SELECT count(*) FROM messages m
             WHERE m.conversation_id = own.id AND m.deleted_at IS NULL) AS messages,
            (SELECT count(*) FROM reply_variants v
             WHERE v.conversation_id = own.id) AS variants,
            (SELECT count(*) FROM attachments a
             WHERE a.conversation_id = own.id) AS attachments,
            (SELECT count(*) FROM memory s
             WHERE s.conversation_id = own.id AND s.memory_text IS NOT NULL) AS summaries,
            (SELECT count(*) FROM episodic_memory e
             WHERE e.conversation_id = own.id AND e.summary IS NOT NULL) AS episodes,
            (SELECT count(*) FROM titles t
             WHERE t.conversation_id = own.id AND t.title IS NOT NULL) AS titles,
            (SELECT count(*) FROM message_embeddings v WHERE v.conversation_id = own.id)
            + (SELECT count(*) FROM episodic_memory e
               WHERE e.conversation_id = own.id AND e.embedding IS NOT NULL)
            + (SELECT count(*) FROM attachments a JOIN file_passages p USING (attachment_id)
               WHERE a.conversation_id = own.id AND p.embedding IS NOT NULL) AS vectors,
            (SELECT count(*) FROM fact_suggestions f
             WHERE f.source_conversation_id = own.id AND f.value IS NOT NULL) AS suggestions,
            (SELECT count(*) FROM shares l WHERE l.conversation_id = own.id) AS shares
        FROM (SELECT %(conversation_id)s::uuid AS id) AS own
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    return Counts(**row) if row else Counts()


def count_user(connection: PgConnection, user_id: UserId) -> Counts:
    row = fetch_row(
        connection,
        """
        WITH own AS (SELECT conversation_id FROM conversations WHERE user_id = %(user_id)s)
        SELECT
            (SELECT count(*) FROM own) AS conversations,
            (SELECT count(*) FROM messages JOIN own USING (conversation_id)
             WHERE deleted_at IS NULL) AS messages,
            (SELECT count(*) FROM reply_variants WHERE user_id = %(user_id)s) AS variants,
            (SELECT count(*) FROM attachments WHERE user_id = %(user_id)s) AS attachments,
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

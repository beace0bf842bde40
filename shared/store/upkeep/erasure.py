"""Deletion of a chat, or of everything about a user. Foreign keys cascade to the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.db import PgConnection, execute, fetch_rows
from shared.models import ConversationId, UserId
from shared.store.rows import read_conversation_id

# Longer than the writing of a reply and its time in Redis together.
RECENT_S = 3600


class RecentReply(NamedTuple):
    """A reply whose text may still be in Redis."""

    conversation_id: ConversationId
    sequence: int
    #: The token of the attempt that is being written. None: the reply is closed.
    fencing_token: int | None


def delete_conversations(
    connection: PgConnection, user_id: UserId, ids: Sequence[ConversationId]
) -> None:
    """Delete conversations. Facts that were learned from them stay."""
    execute(
        connection,
        """
        DELETE FROM conversations
        WHERE conversation_id = ANY(%(ids)s::uuid[]) AND user_id = %(user_id)s
        """,
        ids=list(ids),
        user_id=user_id,
    )


def lock_user_for_deletion(connection: PgConnection, user_id: UserId) -> None:
    """Keep every writer of this user waiting until commit: each of them locks the user first."""
    execute(connection, "SET LOCAL statement_timeout = '10min'")
    execute(
        connection,
        "SELECT 1 FROM users WHERE user_id = %(user_id)s FOR UPDATE",
        user_id=user_id,
    )


def delete_user(connection: PgConnection, user_id: UserId) -> None:
    """Delete everything about the user. It is no error if there is no such user."""
    execute(connection, "DELETE FROM users WHERE user_id = %(user_id)s", user_id=user_id)
    execute(connection, "DELETE FROM kept_answers WHERE user_id = %(user_id)s", user_id=user_id)


def list_conversation_ids(connection: PgConnection, user_id: UserId) -> list[ConversationId]:
    """The ids of the user's conversations, newest activity first."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id FROM conversations WHERE user_id = %(user_id)s
        ORDER BY updated_at DESC
        """,
        user_id=user_id,
    )
    return [read_conversation_id(row) for row in rows]


def list_recent_replies(
    connection: PgConnection, user_id: UserId, ids: Sequence[ConversationId] | None = None
) -> list[RecentReply]:
    """The recent replies of these conversations, or of all conversations of the user."""
    rows = fetch_rows(
        connection,
        """
        SELECT m.conversation_id, m.sequence_number,
               CASE m.status WHEN 'streaming' THEN m.fencing_token END AS fencing_token
        FROM conversations c JOIN messages m USING (conversation_id)
        WHERE c.user_id = %(user_id)s
          AND (%(ids)s::uuid[] IS NULL OR c.conversation_id = ANY(%(ids)s::uuid[]))
          AND m.role = 'assistant'
          AND (m.status = 'streaming'
               OR m.created_at > now() - make_interval(secs => %(recent_s)s))
        """,
        user_id=user_id,
        ids=None if ids is None else list(ids),
        recent_s=RECENT_S,
    )
    return [
        RecentReply(
            read_conversation_id(row),
            row["sequence_number"],
            row["fencing_token"],
        )
        for row in rows
    ]

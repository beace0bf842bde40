"""Deletion: a conversation, or everything about a user. What belongs to a row goes with it."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, Row, execute, fetch_rows
from shared.errors import NotFoundError
from shared.models import ConversationId, UserId

# Longer than a reply can be written and then lie in Redis.
RECENT_S = 3600


@dataclass(frozen=True, kw_only=True)
class RecentReply:
    """A reply of which Redis may have traces. `fencing_token`: of the try that is being written."""

    conversation_id: ConversationId
    sequence: int
    fencing_token: int | None


@dataclass(frozen=True, kw_only=True)
class Deleted:
    """What Redis is to forget, too."""

    conversation_ids: tuple[ConversationId, ...]
    replies: tuple[RecentReply, ...]


def delete_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Deleted:
    """Facts that were learned from it stay. Raises `NotFoundError`, also when it is another's."""
    replies = _list_recent_replies(connection, user_id, conversation_id)
    touched = execute(
        connection,
        """
        DELETE FROM conversations
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such conversation.")
    return Deleted(conversation_ids=(conversation_id,), replies=replies)


def delete_user(connection: PgConnection, user_id: UserId) -> Deleted:
    """Nothing of the user is left; a user who is not there is no error."""
    execute(connection, "SET LOCAL statement_timeout = '10min'")
    # Who writes for this user takes the row first, so none is added between list and deletion.
    execute(
        connection,
        "SELECT 1 FROM users WHERE user_id = %(user_id)s FOR UPDATE",
        user_id=user_id,
    )
    rows = fetch_rows(
        connection,
        "SELECT conversation_id FROM conversations WHERE user_id = %(user_id)s",
        user_id=user_id,
    )
    replies = _list_recent_replies(connection, user_id, None)
    execute(connection, "DELETE FROM users WHERE user_id = %(user_id)s", user_id=user_id)
    ids = tuple(ConversationId(str(row["conversation_id"])) for row in rows)
    return Deleted(conversation_ids=ids, replies=replies)


def _list_recent_replies(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId | None
) -> tuple[RecentReply, ...]:
    rows = fetch_rows(
        connection,
        """
        SELECT m.conversation_id, m.sequence_number,
               CASE m.status WHEN 'streaming' THEN m.fencing_token END AS fencing_token
        FROM conversations c JOIN messages m USING (conversation_id)
        WHERE c.user_id = %(user_id)s
          AND (%(conversation_id)s::uuid IS NULL OR c.conversation_id = %(conversation_id)s::uuid)
          AND m.role = 'assistant'
          AND (m.status = 'streaming'
               OR m.created_at > now() - make_interval(secs => %(recent_s)s))
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        recent_s=RECENT_S,
    )
    return tuple(_recent_reply(row) for row in rows)


def _recent_reply(row: Row) -> RecentReply:
    return RecentReply(
        conversation_id=ConversationId(str(row["conversation_id"])),
        sequence=row["sequence_number"],
        fencing_token=row["fencing_token"],
    )

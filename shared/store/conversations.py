"""Table `conversations`. Each query checks the owner, except functions with `any` in their name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import Conversation, ConversationId, Mode, Query, SearchFilter, UserId
from shared.policy.text import containing_pattern
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class ListedConversation:
    """A conversation as the list shows it."""

    conversation: Conversation
    #: The first 120 characters of its first message.
    preview: str


def add_conversation(
    connection: PgConnection, *, user_id: UserId, agent: str, mode: Mode
) -> Conversation:
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations (user_id, agent, mode)
        VALUES (%(user_id)s, %(agent)s, %(mode)s)
        RETURNING *
        """,
        user_id=user_id,
        agent=agent,
        mode=mode,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return from_row(row)


def get_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Conversation:
    """Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM conversations
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    return _found(row)


def find_any_conversation(
    connection: PgConnection, conversation_id: ConversationId
) -> Conversation | None:
    """For background work: the owner is not checked."""
    row = fetch_row(
        connection,
        "SELECT * FROM conversations WHERE conversation_id = %(conversation_id)s",
        conversation_id=conversation_id,
    )
    return from_row(row) if row else None


def get_any_conversation(connection: PgConnection, conversation_id: ConversationId) -> Conversation:
    """As `find_any_conversation`. Raises `NotFoundError`."""
    found = find_any_conversation(connection, conversation_id)
    if found is None:
        raise NotFoundError("There is no such conversation.")
    return found


def lock_any_conversation(
    connection: PgConnection, conversation_id: ConversationId
) -> Conversation | None:
    """Keep the conversation's rounds, claims and completions waiting until commit.

    For background work: the owner is not checked. None: the conversation is gone. Locks are taken
    in the order user, conversation, messages and jobs.
    """
    row = fetch_row(
        connection,
        """
        SELECT * FROM conversations WHERE conversation_id = %(conversation_id)s
        FOR NO KEY UPDATE
        """,
        conversation_id=conversation_id,
    )
    return from_row(row) if row else None


def lock_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Conversation:
    """As `get_conversation`, and keep other rounds of this conversation waiting until commit."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM conversations
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
        FOR NO KEY UPDATE
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    return _found(row)


def lock_notes(connection: PgConnection, user_id: UserId, title: str, agent: str) -> Conversation:
    """The conversation of the user's notes, added if there is none. Locked until commit."""
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations AS present (user_id, title, agent, mode, is_notes)
        VALUES (%(user_id)s, %(title)s, %(agent)s, 'active', true)
        ON CONFLICT (user_id) WHERE is_notes DO UPDATE SET is_notes = present.is_notes
        RETURNING *
        """,
        user_id=user_id,
        title=title,
        agent=agent,
    )
    return _found(row)


def find_by_source(
    connection: PgConnection, user_id: UserId, source_key: str
) -> ConversationId | None:
    """The conversation that a client or a file calls by this key."""
    row = fetch_row(
        connection,
        """
        SELECT conversation_id FROM conversations
        WHERE user_id = %(user_id)s AND source_key = %(source_key)s
        """,
        user_id=user_id,
        source_key=source_key,
    )
    return read_conversation_id(row) if row else None


def set_source(connection: PgConnection, conversation_id: ConversationId, source_key: str) -> None:
    execute(
        connection,
        """
        UPDATE conversations SET source_key = %(source_key)s
        WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
        source_key=source_key,
    )


def advance(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Move `last_sequence` forward to a reply that was closed."""
    execute(
        connection,
        """
        UPDATE conversations
        SET last_sequence = greatest(last_sequence, %(sequence)s), updated_at = now()
        WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def unmark_imported(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Message `sequence` was edited by the user: it no longer counts as imported."""
    execute(
        connection,
        """
        UPDATE conversations SET imported_until = %(sequence)s - 1
        WHERE conversation_id = %(conversation_id)s AND imported_until >= %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def change_conversation(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    *,
    title: str | None,
    mode: Mode,
) -> Conversation:
    """Raises `NotFoundError`, also when it is somebody else's.

    `updated_at`, by which the list is sorted, does not change.
    """
    row = fetch_row(
        connection,
        """
        UPDATE conversations SET title = %(title)s, mode = %(mode)s
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
        RETURNING *
        """,
        conversation_id=conversation_id,
        user_id=user_id,
        title=title,
        mode=mode,
    )
    return _found(row)


def list_conversations(
    connection: PgConnection,
    user_id: UserId,
    *,
    limit: int,
    before: tuple[datetime, str] | None,
) -> list[ListedConversation]:
    """A page of conversations, newest activity first.

    `before` is the (updated_at, conversation_id) of the last conversation of the previous page.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT c.*, coalesce(left(m.content, 120), '') AS preview
        FROM conversations c
        LEFT JOIN messages m
          ON m.conversation_id = c.conversation_id AND m.sequence_number = 0
        WHERE c.user_id = %(user_id)s
          AND (%(before_at)s::timestamptz IS NULL
               OR (c.updated_at, c.conversation_id)
                  < (%(before_at)s::timestamptz, %(before_id)s::uuid))
        ORDER BY c.updated_at DESC, c.conversation_id DESC
        LIMIT %(limit)s
        """,
        user_id=user_id,
        before_at=before[0] if before else None,
        before_id=before[1] if before else None,
        limit=limit,
    )
    return [ListedConversation(conversation=from_row(row), preview=row["preview"]) for row in rows]


def search_titles(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[ListedConversation]:
    """Conversations whose title contains every part of the query, newest activity first.

    A conversation without a title is known by its first message, as in the list.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT c.*, coalesce(left(m.content, 120), '') AS preview
        FROM conversations c
        LEFT JOIN messages m
          ON m.conversation_id = c.conversation_id AND m.sequence_number = 0
        WHERE c.user_id = %(user_id)s
          AND coalesce(c.title, left(m.content, 120)) ILIKE ALL (%(patterns)s::text[])
          AND (%(since)s::timestamptz IS NULL OR c.updated_at >= %(since)s)
          AND (%(until)s::timestamptz IS NULL OR c.created_at <= %(until)s)
        ORDER BY c.updated_at DESC, c.conversation_id DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        patterns=[containing_pattern(part) for part in query.text.split()],
        since=only.since,
        until=query.as_of,
        limit=limit,
    )
    return [ListedConversation(conversation=from_row(row), preview=row["preview"]) for row in rows]


def from_row(row: Row) -> Conversation:
    return Conversation(
        conversation_id=read_conversation_id(row),
        user_id=UserId(row["user_id"]),
        title=row["title"],
        agent=row["agent"],
        mode=row["mode"],
        last_sequence=row["last_sequence"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        branched_from=ConversationId(str(row["branched_from"])) if row["branched_from"] else None,
        branched_at=row["branched_at"],
    )


def _found(row: Row | None) -> Conversation:
    if row is None:
        raise NotFoundError("There is no such conversation.")
    return from_row(row)

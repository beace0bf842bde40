"""Table `conversations`, as lists show it: a page, and a search by title."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, Row, fetch_rows
from shared.models import Conversation, ConversationId, Query, SearchFilter, UserId
from shared.policy.text import folded_patterns
from shared.store.rows import read_conversation


@dataclass(frozen=True, kw_only=True)
class ListedConversation:
    """A conversation as the list shows it."""

    conversation: Conversation
    #: The first 120 characters of its first message.
    preview: str


@dataclass(frozen=True, kw_only=True)
class ListFilter:
    """Which conversations a list has."""

    #: The archived ones, instead of all others.
    archived: bool = False
    #: The pinned ones alone.
    pinned: bool = False
    #: Those in the project of this name; with "" those in none. None: both.
    project: str | None = None


def list_conversations(
    connection: PgConnection,
    user_id: UserId,
    *,
    only: ListFilter,
    limit: int,
    before: tuple[datetime, str] | None,
) -> list[ListedConversation]:
    """A page of chats, newest activity first: of each the branch that was active last.

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
          AND c.conversation_id = (SELECT conversation_id FROM conversations branch
                                   WHERE branch.chat_id = c.chat_id
                                   ORDER BY updated_at DESC, conversation_id DESC LIMIT 1)
          AND c.is_archived = %(archived)s AND (c.is_pinned OR NOT %(pinned)s)
          AND (%(project)s::text IS NULL OR c.project = %(project)s::text
               OR (%(project)s::text = '' AND c.project IS NULL))
          AND (%(before_at)s::timestamptz IS NULL
               OR (c.updated_at, c.conversation_id)
                  < (%(before_at)s::timestamptz, %(before_id)s::uuid))
        ORDER BY c.updated_at DESC, c.conversation_id DESC
        LIMIT %(limit)s
        """,
        user_id=user_id,
        archived=only.archived,
        pinned=only.pinned,
        project=only.project,
        before_at=before[0] if before else None,
        before_id=before[1] if before else None,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def search_titles(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[ListedConversation]:
    """Chats whose title contains every part of the query, newest activity first.

    A chat without a title is known by its first message, as in the list.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT c.*, coalesce(left(m.content, 120), '') AS preview
        FROM conversations c
        JOIN conversations first ON first.conversation_id = c.chat_id
        LEFT JOIN messages m
          ON m.conversation_id = c.conversation_id AND m.sequence_number = 0
        WHERE c.user_id = %(user_id)s
          AND (c.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
          AND c.conversation_id = (SELECT conversation_id FROM conversations branch
                                   WHERE branch.chat_id = c.chat_id
                                   ORDER BY updated_at DESC, conversation_id DESC LIMIT 1)
          AND fold(coalesce(c.title, left(m.content, 120))) LIKE ALL (%(patterns)s::text[])
          AND (%(since)s::timestamptz IS NULL OR c.updated_at >= %(since)s)
          AND (%(until)s::timestamptz IS NULL OR first.created_at <= %(until)s)
        ORDER BY c.updated_at DESC, c.conversation_id DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        patterns=folded_patterns(query.text),
        since=only.since,
        until=query.as_of,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def list_titles(
    connection: PgConnection, user_id: UserId, ids: Collection[ConversationId]
) -> dict[ConversationId, str]:
    """The titles of those of these conversations that the user has, or how they begin."""
    rows = fetch_rows(
        connection,
        """
        SELECT c.conversation_id, coalesce(c.title, left(m.content, 120), '') AS title
        FROM conversations c
        LEFT JOIN messages m
          ON m.conversation_id = c.conversation_id AND m.sequence_number = 0
        WHERE c.user_id = %(user_id)s AND c.conversation_id = ANY(%(ids)s::uuid[])
        """,
        user_id=user_id,
        ids=list(ids),
    )
    return {ConversationId(str(row["conversation_id"])): row["title"] for row in rows}


def _from_row(row: Row) -> ListedConversation:
    return ListedConversation(conversation=read_conversation(row), preview=row["preview"])

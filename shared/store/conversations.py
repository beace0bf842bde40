"""Table `conversations`. Each query checks the owner, except functions with `any` in their name."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows, prepared
from shared.errors import NotFoundError
from shared.models import Conversation, ConversationId, NewConversation, UserId
from shared.store.rows import read_conversation, read_conversation_id

NO_CONVERSATION = "There is no such conversation."


def add_conversation(connection: PgConnection, new: NewConversation) -> Conversation:
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations (user_id, agent, mode, model, persona_id, project)
        VALUES (%(user_id)s, %(agent)s, %(mode)s, %(model)s, %(persona_id)s, %(project)s)
        RETURNING *
        """,
        **asdict(new),
    )
    assert row is not None  # noqa: S101 - RETURNING
    return read_conversation(row)


def get_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Conversation:
    """The user's conversation. Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM conversations
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    return _existing(row)


def list_chat(connection: PgConnection, chat_id: ConversationId) -> list[Conversation]:
    """The branches of a chat, each behind that which it branched from."""
    rows = fetch_rows(
        connection,
        """
        WITH RECURSIVE tree AS (
            SELECT conversation_id, 0 AS depth
            FROM conversations WHERE conversation_id = %(chat_id)s
            UNION ALL
            SELECT branch.conversation_id, depth + 1
            FROM tree JOIN conversations branch ON branch.branched_from = tree.conversation_id)
        SELECT c.* FROM tree JOIN conversations c USING (conversation_id)
        ORDER BY depth, created_at, conversation_id
        """,
        chat_id=chat_id,
    )
    return [read_conversation(row) for row in rows]


def find_any_conversation(
    connection: PgConnection, conversation_id: ConversationId
) -> Conversation | None:
    """The conversation, whoever owns it, for background work. None: there is none."""
    row = fetch_row(
        connection,
        "SELECT * FROM conversations WHERE conversation_id = %(conversation_id)s",
        conversation_id=conversation_id,
    )
    return read_conversation(row) if row else None


def lock_any_conversation(
    connection: PgConnection, conversation_id: ConversationId
) -> Conversation | None:
    """Lock the conversation until commit, so that its rounds, claims and completions wait.

    For background work: the owner is not checked. None: the conversation is gone. Locks are taken
    in the order user, conversation, messages and jobs.
    """
    return _lock(connection, conversation_id, owner=None)


def lock_conversation(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> Conversation:
    """Get it, and keep other rounds of this conversation waiting until commit."""
    conversation = _lock(connection, conversation_id, owner=user_id)
    if conversation is None:
        raise NotFoundError(NO_CONVERSATION)
    return conversation


def _lock(
    connection: PgConnection, conversation_id: ConversationId, *, owner: UserId | None
) -> Conversation | None:
    row = fetch_row(
        connection,
        prepared("""
        SELECT conversation_id, user_id, title, agent, mode, last_sequence, created_at, updated_at,
               chat_id, branched_from, branched_at, is_pinned, is_archived, model, persona_id,
               project
        FROM conversations
        WHERE conversation_id = %(conversation_id)s
          AND (%(owner)s::text IS NULL OR user_id = %(owner)s)
        FOR NO KEY UPDATE
        """),
        conversation_id=conversation_id,
        owner=owner,
    )
    return read_conversation(row) if row else None


def lock_chat(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId
) -> list[ConversationId]:
    """Lock the conversation and all branches of its chat. The caller has locked the user.

    Raises `NotFoundError`, also when it is somebody else's.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id FROM conversations
        WHERE user_id = %(user_id)s
          AND chat_id = (SELECT chat_id FROM conversations
                         WHERE conversation_id = %(conversation_id)s)
        ORDER BY conversation_id
        FOR NO KEY UPDATE
        """,
        conversation_id=conversation_id,
        user_id=user_id,
    )
    if not rows:
        raise NotFoundError(NO_CONVERSATION)
    return [read_conversation_id(row) for row in rows]


def lock_notes(
    connection: PgConnection, user_id: UserId, title: str, agent: str, project: str | None
) -> Conversation:
    """The conversation of the notes in a project, or outside of all; added if there is none.

    Locked until commit.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations AS present (user_id, title, agent, mode, project, is_notes)
        VALUES (%(user_id)s, %(title)s, %(agent)s, 'active', %(project)s, true)
        ON CONFLICT (user_id, project) WHERE is_notes DO UPDATE SET is_notes = present.is_notes
        RETURNING *
        """,
        user_id=user_id,
        title=title,
        agent=agent,
        project=project,
    )
    return _existing(row)


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
        prepared("""
        UPDATE conversations
        SET last_sequence = greatest(last_sequence, %(sequence)s), updated_at = now()
        WHERE conversation_id = %(conversation_id)s
        """),
        conversation_id=conversation_id,
        sequence=sequence,
    )


def unmark_imported(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Note that the user has edited message `sequence`: it no longer counts as imported."""
    execute(
        connection,
        """
        UPDATE conversations SET imported_until = %(sequence)s - 1
        WHERE conversation_id = %(conversation_id)s AND imported_until >= %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def change_conversation(connection: PgConnection, changed: Conversation) -> None:
    """Write what its user may change: title, mode, model, pin, archive, project.

    It holds for all branches of the chat, which is locked. `updated_at`, by which the list is
    sorted, does not change. Notes that are moved are a chat like any other; the next note begins a
    new one.
    """
    execute(
        connection,
        """
        UPDATE conversations
        SET title = %(title)s, mode = %(mode)s, model = %(model)s, is_pinned = %(is_pinned)s,
            is_archived = %(is_archived)s, project = %(project)s,
            is_notes = is_notes AND project IS NOT DISTINCT FROM %(project)s
        WHERE chat_id = %(chat_id)s AND user_id = %(user_id)s
        """,
        chat_id=changed.chat_id,
        user_id=changed.user_id,
        title=changed.title,
        mode=changed.mode,
        model=changed.model,
        is_pinned=changed.is_pinned,
        is_archived=changed.is_archived,
        project=changed.project,
    )


def unarchive(connection: PgConnection, chat_id: ConversationId) -> None:
    """The caller has locked the user."""
    execute(
        connection,
        "UPDATE conversations SET is_archived = false WHERE chat_id = %(chat_id)s",
        chat_id=chat_id,
    )


def _existing(row: Row | None) -> Conversation:
    if row is None:
        raise NotFoundError(NO_CONVERSATION)
    return read_conversation(row)

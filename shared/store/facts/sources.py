"""Table `structured_facts`, by the message that a version comes from.

Callers that write have locked the user (`users.lock_user`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection, execute, fetch_rows
from shared.models import ConversationId, Fact, Lesson, MessageKey, UserId
from shared.store.facts.versions import from_row

FactId = int


def list_learned_from(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> list[FactId]:
    """The versions that come from this message, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT id FROM structured_facts
        WHERE user_id = %(user_id)s AND source_conversation_id = %(conversation_id)s
          AND source_sequence = %(sequence)s
        ORDER BY id DESC
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    return [row["id"] for row in rows]


def list_taught(
    connection: PgConnection, user_id: UserId, keys: Sequence[MessageKey]
) -> list[Fact]:
    """The newest version of each slot that one of these messages taught."""
    rows = fetch_rows(
        connection,
        """
        SELECT DISTINCT ON (category, key, project) structured_facts.*
        FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[])
             AS said (conversation_id, sequence)
        JOIN structured_facts ON source_conversation_id = said.conversation_id
             AND source_sequence = said.sequence
        WHERE user_id = %(user_id)s
        ORDER BY category, key, project, id DESC
        """,
        user_id=user_id,
        conversations=[key.conversation_id for key in keys],
        sequences=[key.sequence_number for key in keys],
    )
    return [from_row(row) for row in rows]


def list_said(
    connection: PgConnection, user_id: UserId, fact_ids: Sequence[FactId]
) -> dict[FactId, datetime]:
    """The time of the message that taught each of these versions.

    A version whose message is gone is left out.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT f.id, m.created_at
        FROM structured_facts f
        JOIN messages m ON m.conversation_id = f.source_conversation_id
                       AND m.sequence_number = f.source_sequence
        WHERE f.user_id = %(user_id)s AND f.id = ANY(%(fact_ids)s) AND m.deleted_at IS NULL
        """,
        user_id=user_id,
        fact_ids=list(fact_ids),
    )
    return {row["id"]: row["created_at"] for row in rows}


def clear_source(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> None:
    """Let the versions that come from a message stand without it, as when its chat is deleted."""
    execute(
        connection,
        """
        UPDATE structured_facts SET source_conversation_id = NULL
        WHERE user_id = %(user_id)s AND source_conversation_id = %(conversation_id)s
          AND source_sequence = %(sequence)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def list_lessons(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, limit: int
) -> list[Lesson]:
    """The newest active versions that come from a conversation, by their messages."""
    rows = fetch_rows(
        connection,
        """
        SELECT learned.*, (
            SELECT replaced.value FROM structured_facts AS replaced
            WHERE replaced.user_id = learned.user_id AND replaced.superseded_by = learned.id
              AND replaced.tidied IS NULL
            ORDER BY replaced.valid_from DESC, replaced.id DESC LIMIT 1) AS replaced_value
        FROM structured_facts AS learned
        WHERE learned.user_id = %(user_id)s AND learned.is_active
          AND learned.source_conversation_id = %(conversation_id)s
        ORDER BY learned.source_sequence DESC, learned.id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        limit=limit,
    )
    return [Lesson(fact=from_row(row), replaced=row["replaced_value"]) for row in reversed(rows)]


def delete_version(connection: PgConnection, user_id: UserId, fact_id: FactId) -> None:
    """Delete a version, and put the version that it replaced in its place."""
    rows = fetch_rows(
        connection,
        """
        SELECT replaced.id, gone.is_active, gone.valid_to, gone.superseded_by,
               coalesce(gone.tidied, replaced.tidied) AS tidied
        FROM structured_facts AS gone
        JOIN structured_facts AS replaced ON replaced.superseded_by = gone.id
        WHERE gone.user_id = %(user_id)s AND gone.id = %(fact_id)s
          AND NOT (gone.is_active AND replaced.tidied IS NOT NULL)
        """,
        user_id=user_id,
        fact_id=fact_id,
    )
    execute(
        connection,
        "DELETE FROM structured_facts WHERE user_id = %(user_id)s AND id = %(fact_id)s",
        user_id=user_id,
        fact_id=fact_id,
    )
    for row in rows:
        execute(
            connection,
            """
            UPDATE structured_facts
            SET is_active = %(is_active)s, valid_to = %(valid_to)s,
                superseded_by = %(superseded_by)s, tidied = %(tidied)s, updated_at = now()
            WHERE id = %(id)s
            """,
            **row,
        )


def list_ended_at(connection: PgConnection, user_id: UserId, said_at: datetime) -> list[Fact]:
    """The versions that a message retracted at this instant without replacing them."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s AND valid_to = %(said_at)s AND superseded_by IS NULL
        """,
        user_id=user_id,
        said_at=said_at,
    )
    return [from_row(row) for row in rows]


def reopen_retracted(connection: PgConnection, user_id: UserId, said_at: datetime) -> None:
    """Reopen the facts that a message retracted at this instant without replacing them."""
    execute(
        connection,
        """
        UPDATE structured_facts AS ended
        SET is_active = true, valid_to = NULL, tidied = NULL, updated_at = now()
        WHERE user_id = %(user_id)s AND valid_to = %(said_at)s AND superseded_by IS NULL
          AND valid_from < valid_to
          AND NOT EXISTS (
              SELECT 1 FROM structured_facts AS active
              WHERE active.user_id = ended.user_id AND active.category = ended.category
                AND active.key = ended.key AND active.is_active
                AND active.project IS NOT DISTINCT FROM ended.project)
        """,
        user_id=user_id,
        said_at=said_at,
    )

"""Table `users`. Writers of a user's data lock this row first."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from shared.db import PgConnection, execute, fetch_row, prepared
from shared.models import ConversationId, UserId


def ensure_user(connection: PgConnection, user_id: UserId) -> None:
    """Add the user if there is none, and keep the row from being deleted until commit.

    Rows that refer to the user can be added meanwhile: an update of `user_id`, the key, would keep
    them waiting, also those of jobs that hold the lock of a conversation.
    """
    execute(
        connection,
        """
        INSERT INTO users AS present (user_id) VALUES (%(user_id)s)
        ON CONFLICT (user_id) DO UPDATE SET turn_count = present.turn_count
        """,
        user_id=user_id,
    )


def is_there(connection: PgConnection, user_id: UserId) -> bool:
    row = fetch_row(connection, "SELECT 1 FROM users WHERE user_id = %(user_id)s", user_id=user_id)
    return row is not None


class Sender(NamedTuple):
    """The user of a new message."""

    #: The one that the user has sent last.
    time_zone: str | None
    #: Files that are sent or uploaded.
    has_files: bool


class Preferences(NamedTuple):
    """The choices of a user that the program keeps."""

    time_zone: str | None = None
    #: What memory is to note as facts, in the user's words.
    memory_instructions: str = ""


def count_turn(connection: PgConnection, user_id: UserId) -> Sender:
    """Count one more user message."""
    row = fetch_row(
        connection,
        prepared("""
        INSERT INTO users (user_id, turn_count) VALUES (%(user_id)s, 1)
        ON CONFLICT (user_id) DO UPDATE SET turn_count = users.turn_count + 1
        RETURNING time_zone,
                  EXISTS (SELECT FROM attachments WHERE user_id = %(user_id)s) AS has_files
        """),
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - the statement always returns one
    return Sender(row["time_zone"], row["has_files"])


def count_turns(connection: PgConnection, user_id: UserId, count: int) -> int:
    """Add `count` user messages, of a user who is locked. Returns how many there were before."""
    row = fetch_row(
        connection,
        """
        UPDATE users SET turn_count = turn_count + %(count)s WHERE user_id = %(user_id)s
        RETURNING turn_count - %(count)s AS before
        """,
        user_id=user_id,
        count=count,
    )
    assert row is not None  # noqa: S101 - the user is locked
    return int(row["before"])


def lock_user(connection: PgConnection, user_id: UserId) -> tuple[int, datetime]:
    """Keep other writers of this user's facts waiting until commit. Returns (turn count, now).

    The clock is read once the row is locked: what an earlier writer has written is older.
    """
    row = fetch_row(
        connection,
        prepared("""
        WITH locked AS MATERIALIZED (
            SELECT turn_count FROM users WHERE user_id = %(user_id)s FOR NO KEY UPDATE)
        SELECT coalesce(max(turn_count), 0) AS turn_count, clock_timestamp() AS now FROM locked
        """),
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - an aggregate has one row
    return row["turn_count"], row["now"]


def keep_time_zone(connection: PgConnection, user_id: UserId, time_zone: str) -> None:
    execute(
        connection,
        """
        UPDATE users SET time_zone = %(time_zone)s
        WHERE user_id = %(user_id)s AND time_zone IS DISTINCT FROM %(time_zone)s
        """,
        user_id=user_id,
        time_zone=time_zone,
    )


def find_time_zone(connection: PgConnection, user_id: UserId) -> str | None:
    return find_preferences(connection, user_id).time_zone


def keep_memory_instructions(connection: PgConnection, user_id: UserId, text: str) -> None:
    """Keep what the user wants memory to note, and what not. "" asks for nothing in particular."""
    execute(
        connection,
        """
        INSERT INTO users (user_id, memory_instructions) VALUES (%(user_id)s, %(text)s)
        ON CONFLICT (user_id) DO UPDATE SET memory_instructions = excluded.memory_instructions
        """,
        user_id=user_id,
        text=text,
    )


def find_preferences(connection: PgConnection, user_id: UserId) -> Preferences:
    row = fetch_row(
        connection,
        prepared("SELECT time_zone, memory_instructions FROM users WHERE user_id = %(user_id)s"),
        user_id=user_id,
    )
    return Preferences(row["time_zone"], row["memory_instructions"]) if row else Preferences()


def find_speakers_time_zone(
    connection: PgConnection, conversation_id: ConversationId
) -> str | None:
    """The time zone of the conversation's user."""
    row = fetch_row(
        connection,
        prepared("""
        SELECT time_zone FROM users JOIN conversations USING (user_id)
        WHERE conversation_id = %(conversation_id)s
        """),
        conversation_id=conversation_id,
    )
    return row["time_zone"] if row else None


def claim_grouping(connection: PgConnection, user_id: UserId) -> bool:
    """Note that a model is asked now which of the user's facts are about the same thing.

    False: it was asked today (UTC), or no fact has come since.
    """
    row = fetch_row(
        connection,
        """
        UPDATE users SET facts_grouped_at = now()
        WHERE user_id = %(user_id)s
          AND (facts_grouped_at IS NULL
               OR ((facts_grouped_at AT TIME ZONE 'UTC')::date
                       < (now() AT TIME ZONE 'UTC')::date
                   AND EXISTS (SELECT FROM structured_facts AS fact
                               WHERE fact.user_id = users.user_id AND fact.is_active
                                 AND fact.created_at > users.facts_grouped_at)))
        RETURNING 1
        """,
        user_id=user_id,
    )
    return row is not None

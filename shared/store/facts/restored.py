"""Table `structured_facts`: versions as an import writes them back.

Callers have locked the user.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, datetime

import psycopg2

from shared.db import PgConnection, defer, execute, fetch_row
from shared.errors import UnreadableConversationError
from shared.models import Category, ConversationId, Fact, Tidied, UserId
from shared.store.facts.versions import from_row


@dataclass(frozen=True, kw_only=True)
class PastVersion:
    """A version of a fact, as it was."""

    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    #: None: the user stated it by hand.
    source_sequence: int | None
    confirmed_at_turn: int
    confirmed_at: datetime | None
    valid_from: datetime
    #: None: it is the active one.
    valid_to: datetime | None
    tidied: Tidied | None = None
    former_key: str | None = None
    valid_until: date | None = None


@contextmanager
def all_or_none(connection: PgConnection) -> Iterator[None]:
    """Undo all versions of the block if the database refuses one of them.

    Raises `UnreadableConversationError` then. The transaction goes on.
    """
    defer(connection, "SAVEPOINT slot;")
    try:
        yield
    except (psycopg2.DataError, psycopg2.IntegrityError) as exc:
        defer(connection, "ROLLBACK TO SAVEPOINT slot; RELEASE SAVEPOINT slot;")
        raise UnreadableConversationError("It holds values that cannot be stored.") from exc
    defer(connection, "RELEASE SAVEPOINT slot;")


def cap_turns(connection: PgConnection, user_id: UserId) -> None:
    """Let no fact be confirmed later than the user's newest message, else it would never fade."""
    execute(
        connection,
        """
        UPDATE structured_facts SET confirmed_at_turn = u.turn_count
        FROM users u
        WHERE u.user_id = %(user_id)s AND structured_facts.user_id = u.user_id
          AND confirmed_at_turn > u.turn_count
        """,
        user_id=user_id,
    )


def restore_version(connection: PgConnection, user_id: UserId, past: PastVersion) -> Fact:
    """Add a version. `set_source` tells where its message is, if that comes, too."""
    row = fetch_row(
        connection,
        """
        INSERT INTO structured_facts
            (user_id, category, key, value, confidence, importance, is_active, source_sequence,
             confirmed_at_turn, confirmed_at, valid_from, valid_to, tidied, former_key,
             valid_until)
        VALUES (%(user_id)s, %(category)s, %(key)s, %(value)s, %(confidence)s, %(importance)s,
                %(valid_to)s::timestamptz IS NULL, %(source_sequence)s, %(confirmed_at_turn)s,
                %(confirmed_at)s, %(valid_from)s, %(valid_to)s, %(tidied)s, %(former_key)s,
                %(valid_until)s)
        RETURNING *
        """,
        user_id=user_id,
        **asdict(past),
    )
    assert row is not None  # noqa: S101 - RETURNING
    return from_row(row)


def set_successor(connection: PgConnection, user_id: UserId, fact_id: int, successor: int) -> None:
    execute(
        connection,
        """
        UPDATE structured_facts SET superseded_by = %(successor)s
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        """,
        user_id=user_id,
        fact_id=fact_id,
        successor=successor,
    )


def set_source(
    connection: PgConnection,
    user_id: UserId,
    fact_id: int,
    conversation_id: ConversationId,
    sequence: int,
) -> None:
    """Set the message that a version comes from, unless that message is gone."""
    execute(
        connection,
        """
        UPDATE structured_facts
        SET source_conversation_id = %(conversation_id)s, source_sequence = %(sequence)s
        FROM messages m
        WHERE structured_facts.user_id = %(user_id)s AND id = %(fact_id)s
          AND m.conversation_id = %(conversation_id)s AND m.sequence_number = %(sequence)s
          AND m.role = 'user' AND m.deleted_at IS NULL
        """,
        user_id=user_id,
        fact_id=fact_id,
        conversation_id=conversation_id,
        sequence=sequence,
    )

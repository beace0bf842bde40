"""Changes of the table `structured_facts`: new versions, and those that end or begin again.

Callers have locked the user (`users.lock_user`), so that two versions of a slot are never active.
"""

from __future__ import annotations

from datetime import datetime

from shared.db import PgConnection, Row, execute, fetch_row
from shared.errors import NotFoundError
from shared.models import Candidate, Fact, UserId
from shared.store.facts.versions import from_row


def add_fact(connection: PgConnection, user_id: UserId, candidate: Candidate) -> Fact:
    """Add a version, valid from when it was said."""
    row = fetch_row(
        connection,
        """
        INSERT INTO structured_facts
            (user_id, category, key, value, confidence, importance, source_conversation_id,
             source_sequence, confirmed_at_turn, valid_from, valid_until)
        VALUES (%(user_id)s, %(category)s, %(key)s, %(value)s, %(confidence)s, %(importance)s,
                %(source_conversation_id)s, %(source_sequence)s, %(turn)s, %(said_at)s,
                %(valid_until)s)
        RETURNING *
        """,
        user_id=user_id,
        **_columns(candidate),
    )
    assert row is not None  # noqa: S101 - RETURNING
    return from_row(row)


def replace_fact(
    connection: PgConnection, user_id: UserId, active: Fact, candidate: Candidate
) -> Fact:
    """Add a version, close the active one where it begins, and link the two."""
    close_fact(connection, user_id, active, candidate.said_at)
    new = add_fact(connection, user_id, candidate)
    execute(
        connection,
        """
        UPDATE structured_facts SET superseded_by = %(new_id)s
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        """,
        user_id=user_id,
        fact_id=active.fact_id,
        new_id=new.fact_id,
    )
    return new


def confirm_fact(
    connection: PgConnection, user_id: UserId, active: Fact, candidate: Candidate
) -> Fact:
    """Note that the user said the same again. The newest words tell until when it holds."""
    row = fetch_row(
        connection,
        """
        UPDATE structured_facts
        SET confidence = greatest(confidence, %(confidence)s::real),
            confirmed_at_turn = greatest(confirmed_at_turn, %(turn)s),
            valid_until = CASE WHEN %(said_at)s >= greatest(confirmed_at, valid_from)
                          THEN %(valid_until)s::date ELSE valid_until END,
            confirmed_at = greatest(confirmed_at, valid_from, %(said_at)s), updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        RETURNING *
        """,
        user_id=user_id,
        fact_id=active.fact_id,
        confidence=candidate.confidence,
        turn=candidate.turn,
        said_at=candidate.said_at,
        valid_until=candidate.valid_until,
    )
    return _existing(row)


def close_fact(connection: PgConnection, user_id: UserId, active: Fact, valid_to: datetime) -> Fact:
    """End a version: it is no longer true."""
    row = fetch_row(
        connection,
        """
        UPDATE structured_facts
        SET is_active = false, valid_to = %(valid_to)s, updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        RETURNING *
        """,
        user_id=user_id,
        fact_id=active.fact_id,
        valid_to=valid_to,
    )
    return _existing(row)


def reopen_fact(
    connection: PgConnection, user_id: UserId, replaced: Fact, *, at: datetime, turn: int
) -> Fact:
    """Make a replaced version active again. The user asked for it at instant `at`."""
    row = fetch_row(
        connection,
        """
        UPDATE structured_facts
        SET is_active = true, valid_to = NULL, superseded_by = NULL,
            confirmed_at = %(at)s, confirmed_at_turn = %(turn)s, updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        RETURNING *
        """,
        user_id=user_id,
        fact_id=replaced.fact_id,
        at=at,
        turn=turn,
    )
    return _existing(row)


def set_importance(
    connection: PgConnection, user_id: UserId, fact_id: int, importance: float
) -> Fact:
    row = fetch_row(
        connection,
        """
        UPDATE structured_facts SET importance = %(importance)s, updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        RETURNING *
        """,
        user_id=user_id,
        fact_id=fact_id,
        importance=importance,
    )
    return _existing(row)


def _columns(candidate: Candidate) -> dict[str, object]:
    return {
        "category": candidate.category,
        "key": candidate.key,
        "value": candidate.value,
        "confidence": candidate.confidence,
        "importance": candidate.importance,
        "source_conversation_id": candidate.source_conversation_id,
        "source_sequence": candidate.source_sequence,
        "turn": candidate.turn,
        "said_at": candidate.said_at,
        "valid_until": candidate.valid_until,
    }


def _existing(row: Row | None) -> Fact:
    if row is None:
        raise NotFoundError("There is no such fact.")
    return from_row(row)

"""Table `fact_suggestions`: facts that wait for the user to confirm or dismiss them.

A suggestion is open while it has a value. A dismissed one keeps only the fingerprint of its value,
so that the value is not suggested again. Callers that write have locked the user
(`users.lock_user`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import Candidate, Category, ConversationId, Suggestion, UserId
from shared.policy.facts.values import fingerprint


def list_suggestions(connection: PgConnection, user_id: UserId) -> list[Suggestion]:
    """The open suggestions, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM fact_suggestions
        WHERE user_id = %(user_id)s AND value IS NOT NULL
        ORDER BY said_at DESC, id DESC
        """,
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def list_by_ids(connection: PgConnection, user_id: UserId, ids: Sequence[int]) -> list[Suggestion]:
    """The given suggestions that are open."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM fact_suggestions
        WHERE user_id = %(user_id)s AND id = ANY(%(ids)s) AND value IS NOT NULL
        """,
        user_id=user_id,
        ids=list(ids),
    )
    return [_from_row(row) for row in rows]


def list_suggested_in(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, limit: int
) -> list[Suggestion]:
    """The newest open suggestions that come from a conversation, by their messages."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM fact_suggestions
        WHERE user_id = %(user_id)s AND source_conversation_id = %(conversation_id)s
          AND value IS NOT NULL
        ORDER BY source_sequence DESC, id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        limit=limit,
    )
    return [_from_row(row) for row in reversed(rows)]


def get_suggestion(connection: PgConnection, user_id: UserId, suggestion_id: int) -> Suggestion:
    """An open suggestion. Raises `NotFoundError`, also when it is somebody else's or closed."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM fact_suggestions
        WHERE user_id = %(user_id)s AND id = %(suggestion_id)s AND value IS NOT NULL
        """,
        user_id=user_id,
        suggestion_id=suggestion_id,
    )
    if row is None:
        raise NotFoundError("There is no such suggestion.")
    return _from_row(row)


def suggest(connection: PgConnection, user_id: UserId, candidate: Candidate) -> int | None:
    """Open a suggestion in place of an older one for the same slot. Returns its id.

    None: this value was suggested before, or a newer message has another one.
    """
    values = {
        "user_id": user_id,
        "category": candidate.category,
        "key": candidate.key,
        "fingerprint": fingerprint(user_id, candidate.value),
        "said_at": candidate.said_at,
    }
    execute(
        connection,
        """
        DELETE FROM fact_suggestions AS older
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND value IS NOT NULL AND fingerprint <> %(fingerprint)s AND said_at <= %(said_at)s
          AND NOT EXISTS (
              SELECT 1 FROM fact_suggestions AS same
              WHERE same.user_id = older.user_id AND same.category = older.category
                AND same.key = older.key AND same.fingerprint = %(fingerprint)s)
        """,
        **values,
    )
    row = fetch_row(
        connection,
        """
        INSERT INTO fact_suggestions
            (user_id, category, key, value, fingerprint, confidence, importance,
             source_conversation_id, source_sequence, said_at, valid_until)
        VALUES (%(user_id)s, %(category)s, %(key)s, %(value)s, %(fingerprint)s, %(confidence)s,
                %(importance)s, %(source_conversation_id)s, %(source_sequence)s, %(said_at)s,
                %(valid_until)s)
        ON CONFLICT DO NOTHING
        RETURNING id
        """,
        value=candidate.value,
        confidence=candidate.confidence,
        importance=candidate.importance,
        source_conversation_id=candidate.source_conversation_id,
        source_sequence=candidate.source_sequence,
        valid_until=candidate.valid_until,
        **values,
    )
    return row["id"] if row else None


def delete_open(connection: PgConnection, user_id: UserId, category: Category, key: str) -> None:
    """Delete the slot's open suggestion: the user has stated the fact plainly."""
    execute(
        connection,
        """
        DELETE FROM fact_suggestions
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND value IS NOT NULL
        """,
        user_id=user_id,
        category=category,
        key=key,
    )


def delete_ended(
    connection: PgConnection, user_id: UserId, category: Category, key: str, ended_at: datetime
) -> None:
    """Delete the slot's open suggestion if what it says has ended since."""
    execute(
        connection,
        """
        DELETE FROM fact_suggestions
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND value IS NOT NULL AND said_at < %(ended_at)s
        """,
        user_id=user_id,
        category=category,
        key=key,
        ended_at=ended_at,
    )


def dismiss(connection: PgConnection, user_id: UserId, suggestion_id: int) -> None:
    """Empty a suggestion and keep its fingerprint. Raises `NotFoundError`."""
    touched = execute(
        connection,
        """
        UPDATE fact_suggestions
        SET value = NULL, source_conversation_id = NULL, source_sequence = NULL
        WHERE user_id = %(user_id)s AND id = %(suggestion_id)s AND value IS NOT NULL
        """,
        user_id=user_id,
        suggestion_id=suggestion_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such suggestion.")


def delete_suggested_by(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> None:
    """Delete the suggestions that come from this message, which changes or is deleted."""
    execute(
        connection,
        """
        DELETE FROM fact_suggestions
        WHERE user_id = %(user_id)s AND source_conversation_id = %(conversation_id)s
          AND source_sequence = %(sequence)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def _from_row(row: Row) -> Suggestion:
    return Suggestion(
        suggestion_id=row["id"],
        category=row["category"],
        key=row["key"],
        value=row["value"],
        confidence=row["confidence"],
        importance=row["importance"],
        source_conversation_id=ConversationId(str(row["source_conversation_id"])),
        source_sequence=row["source_sequence"],
        said_at=row["said_at"],
        valid_until=row["valid_until"],
        project=row["project"],
    )

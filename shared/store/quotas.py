"""Table `usage_days`: what each user has used today (UTC); and the bytes of their messages.

A row of `usage_days` is the last lock that a transaction takes, so that no two can deadlock on it.
Tokens of a conversation are added by `usage.add_usage`.
"""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row, prepared
from shared.models import UsedToday, UserId


def read_today(connection: PgConnection, user_id: UserId) -> UsedToday:
    row = fetch_row(
        connection,
        """
        SELECT coalesce(rounds, 0) AS rounds, coalesce(searches, 0) AS searches,
               coalesce(tokens, 0) AS tokens, tomorrow AS resets_at,
               extract(epoch FROM tomorrow - now())::float8 AS resets_in_s
        FROM (SELECT (current_date + 1)::timestamptz AS tomorrow) AS clock
        LEFT JOIN usage_days ON user_id = %(user_id)s AND day = current_date
        """,
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - one row always
    return UsedToday(**row)


def count_round(connection: PgConnection, user_id: UserId) -> None:
    """Count one more round."""
    execute(
        connection,
        prepared("""
        INSERT INTO usage_days AS today (user_id, rounds) VALUES (%(user_id)s, 1)
        ON CONFLICT (user_id, day) DO UPDATE SET rounds = today.rounds + 1
        """),
        user_id=user_id,
    )


def count_search(connection: PgConnection, user_id: UserId) -> None:
    """Count one more search."""
    execute(
        connection,
        """
        INSERT INTO usage_days AS today (user_id, searches) VALUES (%(user_id)s, 1)
        ON CONFLICT (user_id, day) DO UPDATE SET searches = today.searches + 1
        """,
        user_id=user_id,
    )


def count_tokens(connection: PgConnection, user_id: UserId, tokens: int) -> None:
    """Count tokens that belong to no conversation."""
    execute(
        connection,
        """
        INSERT INTO usage_days AS today (user_id, tokens) VALUES (%(user_id)s, %(tokens)s)
        ON CONFLICT (user_id, day) DO UPDATE SET tokens = today.tokens + excluded.tokens
        """,
        user_id=user_id,
        tokens=tokens,
    )


def count_stored_bytes(connection: PgConnection, user_id: UserId) -> int:
    """The bytes of all messages of the user, in UTF-8, of all files, and of the text in them."""
    row = fetch_row(
        connection,
        """
        SELECT ((SELECT coalesce(sum(message_bytes), 0) FROM conversations
                 WHERE user_id = %(user_id)s)
              + (SELECT coalesce(sum(byte_count + text_byte_count), 0) FROM attachments
                 WHERE user_id = %(user_id)s))::bigint AS bytes
        """,
        user_id=user_id,
    )
    return int(row["bytes"]) if row else 0


def delete_past_days(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Returns how many rows were deleted. Today's is never one of them."""
    return execute(
        connection,
        """
        DELETE FROM usage_days WHERE (user_id, day) IN (
            SELECT user_id, day FROM usage_days
            WHERE day <= current_date - %(older_than_days)s::integer
            ORDER BY day LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )

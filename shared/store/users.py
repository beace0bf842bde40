"""Table `users`."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row
from shared.models import UserId


def ensure_user(connection: PgConnection, user_id: UserId) -> None:
    execute(
        connection,
        "INSERT INTO users (user_id) VALUES (%(user_id)s) ON CONFLICT DO NOTHING",
        user_id=user_id,
    )


def count_turn(connection: PgConnection, user_id: UserId) -> int:
    """One more user message. Returns how many there were, this one included."""
    row = fetch_row(
        connection,
        """
        INSERT INTO users (user_id, turn_count) VALUES (%(user_id)s, 1)
        ON CONFLICT (user_id) DO UPDATE SET turn_count = users.turn_count + 1
        RETURNING turn_count
        """,
        user_id=user_id,
    )
    assert row is not None  # noqa: S101 - the statement always returns one
    return int(row["turn_count"])

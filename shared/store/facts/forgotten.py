"""Table `forgotten_facts`: fingerprints of deleted facts, which are not learned again."""

from __future__ import annotations

from shared.db import PgConnection, Row, execute, fetch_rows
from shared.models import Forgotten, UserId


def add_forgotten(connection: PgConnection, user_id: UserId, mark: Forgotten) -> None:
    """Add the fingerprint. If it exists already, set its time forward."""
    execute(
        connection,
        """
        INSERT INTO forgotten_facts (user_id, category, key, fingerprint, said_until, forgotten_at)
        VALUES (%(user_id)s, %(category)s, %(key)s, %(fingerprint)s, %(said_until)s,
                %(forgotten_at)s)
        ON CONFLICT (user_id, category, key, fingerprint) DO UPDATE
        SET said_until = greatest(forgotten_facts.said_until, excluded.said_until),
            forgotten_at = greatest(forgotten_facts.forgotten_at, excluded.forgotten_at)
        """,
        user_id=user_id,
        category=mark.category,
        key=mark.key,
        fingerprint=mark.fingerprint,
        said_until=mark.said_until,
        forgotten_at=mark.forgotten_at,
    )


def list_forgotten(connection: PgConnection, user_id: UserId) -> list[Forgotten]:
    rows = fetch_rows(
        connection, "SELECT * FROM forgotten_facts WHERE user_id = %(user_id)s", user_id=user_id
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> Forgotten:
    return Forgotten(
        category=row["category"],
        key=row["key"],
        fingerprint=row["fingerprint"],
        said_until=row["said_until"],
        forgotten_at=row["forgotten_at"],
    )

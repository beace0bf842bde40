"""A connection that remembers the statements as they were sent."""

from __future__ import annotations

from typing import Any

import psycopg2.extensions

from shared.db import execute, fetch_row


class RecordingConnection(psycopg2.extensions.connection):
    def __init__(self, dsn: str, **options: Any) -> None:
        super().__init__(dsn, **options)
        self.sent: list[str] = []

    def cursor(self, *args: Any, **options: Any) -> Any:
        statements = self.sent

        class RecordingCursor(psycopg2.extensions.cursor):
            def execute(self, query: Any, vars: Any = None) -> None:
                super().execute(query, vars)
                statements.append((self.query or b"").decode())

        return super().cursor(*args, cursor_factory=RecordingCursor, **options)


def act_as(connection: RecordingConnection, user: str) -> None:
    """Let the transaction see the rows of this user."""
    execute(connection, "RESET ROLE; SET LOCAL throughline.user_id = %(user)s", user=user)
    connection.sent.clear()


def act_as_upkeep(connection: RecordingConnection) -> None:
    execute(connection, "SET LOCAL ROLE throughline_upkeep")
    connection.sent.clear()


def count_scans(connection: RecordingConnection, relation: str) -> int:
    """How often this transaction has read a table from end to end, or has looked into an index.

    Other than EXPLAIN, this also counts what functions do.
    """
    sql = "SELECT pg_stat_get_xact_numscans(%(relation)s::regclass) AS scans"
    row = fetch_row(connection, sql, relation=relation)
    assert row is not None
    return int(row["scans"])

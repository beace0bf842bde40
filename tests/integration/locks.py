"""Statements of other transactions that wait for a lock."""

from __future__ import annotations

from contextlib import closing

import psycopg2

from tests.services import owner_url
from tests.waiting import wait_for

BLOCKED = """
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE %s
"""


def wait_for_blocked_statement(database_url: str, pattern: str = "%") -> None:
    """Wait until a statement that is like `pattern` waits for a lock of this database."""
    with closing(psycopg2.connect(owner_url(database_url))) as connection:
        connection.autocommit = True
        cursor = connection.cursor()

        def is_blocked() -> bool:
            cursor.execute(BLOCKED, (pattern,))
            return cursor.rowcount > 0

        wait_for(is_blocked)

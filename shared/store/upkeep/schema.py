"""Table `alembic_version`: how far the database has been migrated."""

from __future__ import annotations

from contextlib import closing

import psycopg2

from shared.db import PgConnection, fetch_row

#: The oldest revision that this code runs on. Revisions are numbers of four digits.
NEEDED = "0071"
CONNECT_TIMEOUT_S = 5


def is_enough(revision: str | None) -> bool:
    """Whether this code runs on the schema. It runs on newer ones, too, while it is replaced."""
    return revision is not None and revision >= NEEDED


def is_migrated(database_url: str) -> bool:
    """Whether the schema is one that this code runs on. False where there is no database yet."""
    try:
        return is_enough(read_revision(database_url))
    except psycopg2.Error:
        return False


def read_revision(database_url: str) -> str | None:
    """`find_revision` through a connection of its own. Raises the driver's errors."""
    with closing(psycopg2.connect(database_url, connect_timeout=CONNECT_TIMEOUT_S)) as connection:
        return find_revision(connection)


def find_revision(connection: PgConnection) -> str | None:
    """The revision of the last migration; None before the first one."""
    row = fetch_row(connection, "SELECT to_regclass('alembic_version') IS NOT NULL AS migrated")
    if row is None or not row["migrated"]:
        return None
    row = fetch_row(connection, "SELECT version_num FROM alembic_version")
    return row["version_num"] if row else None

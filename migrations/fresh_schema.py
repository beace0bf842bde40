"""Make the schema `public` anew, as Postgres makes it: a backup brings its own tables."""

from __future__ import annotations

from contextlib import closing

import psycopg2

_ANEW = """
    DROP SCHEMA public CASCADE;
    CREATE SCHEMA public AUTHORIZATION pg_database_owner;
    GRANT USAGE ON SCHEMA public TO PUBLIC;
"""


def make_schema_anew(owner_url: str) -> None:
    """Everything in it is gone afterwards."""
    with closing(psycopg2.connect(owner_url, connect_timeout=5)) as connection, connection:
        connection.cursor().execute(_ANEW)

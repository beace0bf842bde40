"""The languages of stemming. The indexes read them from a function of the database."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row, fetch_rows

LOCK_KEY = 7_262_817_046  # several starts at once take turns


def list_languages(connection: PgConnection) -> list[str]:
    """Names of text search configurations. The first one also marks hits."""
    row = fetch_row(connection, "SELECT recall_languages()::text[] AS languages")
    return list(row["languages"]) if row else []


def list_unknown(connection: PgConnection, languages: Sequence[str]) -> list[str]:
    """The languages among these for which this Postgres has no configuration."""
    rows = fetch_rows(
        connection,
        """
        SELECT name FROM unnest(%(languages)s::text[]) AS name
        WHERE NOT EXISTS (SELECT FROM pg_ts_config WHERE cfgname = name)
        """,
        languages=list(languages),
    )
    return [row["name"] for row in rows]


def set_languages(connection: PgConnection, languages: Sequence[str]) -> bool:
    """Change the languages and index all messages, episodes and files again.

    No message can be written meanwhile.

    False: these are the languages already. All of `languages` must be known.
    """
    execute(connection, "SELECT pg_advisory_xact_lock(%(key)s)", key=LOCK_KEY)
    if list_languages(connection) == list(languages):
        return False
    execute(connection, "SET LOCAL statement_timeout = 0")
    execute(
        connection,
        """
        CREATE OR REPLACE FUNCTION recall_languages() RETURNS regconfig[]
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %(languages)s::regconfig[]
        """,
        languages=list(languages),
    )
    # Writing a column computes the generated columns that depend on it. The locks are there so that
    # nothing is added in the languages before.
    execute(
        connection,
        """
        LOCK TABLE messages, file_passages IN SHARE ROW EXCLUSIVE MODE;
        UPDATE messages SET content = content;
        UPDATE episodic_memory SET summary = summary;
        UPDATE file_passages SET text = text
        """,
    )
    return True

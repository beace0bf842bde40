"""Count what a soak left in the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.db import Database, fetch_row, fetch_rows

COUNT_JOBS = """
    SELECT kind || ' ' || status AS status, count(*) AS n,
           sum(greatest(attempts - 1, 0))::int AS again
    FROM (SELECT 'summary' AS kind, status, attempts FROM memory
          UNION ALL SELECT 'episode', status, attempts FROM episodic_memory
          UNION ALL SELECT 'facts', status, attempts FROM fact_extractions) AS jobs
    GROUP BY kind, status ORDER BY 1
"""
COUNT_OPEN = """
    SELECT count(*) AS n
    FROM (SELECT status, created_at FROM memory
          UNION ALL SELECT status, created_at FROM episodic_memory
          UNION ALL SELECT status, created_at FROM fact_extractions
          UNION ALL SELECT status, created_at FROM messages WHERE status = 'streaming') AS work
    WHERE status IN ('processing', 'streaming') AND created_at < %(since)s
"""


@dataclass(frozen=True, kw_only=True)
class Counts:
    """`rounds` and `jobs` are printed in a line each."""

    rounds: str
    jobs: str
    redeliveries: int
    lost_jobs: int
    duplicate_summaries: int


def count(database: Database) -> Counts:
    with database.transaction() as connection:
        rounds = fetch_rows(
            connection,
            "SELECT status, count(*) AS n FROM messages WHERE role = 'assistant' GROUP BY status",
        )
        jobs = fetch_rows(connection, COUNT_JOBS)
        twice = fetch_row(
            connection,
            """
            SELECT count(*) AS n FROM (
                SELECT 1 FROM memory WHERE status = 'completed'
                GROUP BY conversation_id, end_sequence HAVING count(*) > 1) AS doubled
            """,
        )
    open_jobs = [row["n"] for row in jobs if row["status"].endswith("processing")]
    return Counts(
        rounds=", ".join(f"{row['n']} {row['status']}" for row in rounds),
        jobs=", ".join(f"{row['n']} {row['status']}" for row in jobs),
        redeliveries=sum(row["again"] for row in jobs),
        lost_jobs=sum(open_jobs),
        duplicate_summaries=twice["n"] if twice else 0,
    )


def count_open_since(database: Database, since: object) -> int:
    """Jobs and replies that began before that moment and are not done."""
    return int(_value(database, COUNT_OPEN, since=since))


def now_of(database: Database) -> object:
    """The time on the database's clock."""
    return _value(database, "SELECT now() AS n")


def list_texts(database: Database) -> list[str]:
    """Of all user messages."""
    with database.transaction() as connection:
        rows = fetch_rows(connection, "SELECT content FROM messages WHERE role = 'user'")
    return [row["content"] for row in rows]


def _value(database: Database, sql: str, **args: object) -> Any:
    with database.transaction() as connection:
        row = fetch_row(connection, sql, **args)
    assert row is not None  # noqa: S101 - each of these has one row
    return row["n"]

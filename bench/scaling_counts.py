"""What a piece of work costs the databases and the machine, as differences of counters.

Postgres adds what a connection did to its counters when the connection ends, or after ten seconds
without work. So transactions are read before workers start and after they have stopped.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import redis

from shared.db import Database, fetch_row

TICKS = os.sysconf("SC_CLK_TCK")
WRITTEN = """
    SELECT xact_commit + xact_rollback AS transactions,
           pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal_bytes
    FROM pg_stat_database WHERE datname = current_database()
"""
CONNECTED = """
    SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What Postgres has done so far in one database."""

    transactions: int
    wal_bytes: int

    def since(self, before: Written) -> Written:
        return Written(
            transactions=self.transactions - before.transactions,
            wal_bytes=self.wal_bytes - before.wal_bytes,
        )


def read_written(database: Database) -> Written:
    """Counts itself as one transaction of the next reading."""
    with database.transaction() as connection:
        row = fetch_row(connection, WRITTEN)
    assert row is not None  # noqa: S101 - the database that is asked
    return Written(**row)


def count_connections(database: Database) -> int:
    """Without the one that asks."""
    with database.transaction() as connection:
        row = fetch_row(connection, CONNECTED)
    return int(row["n"]) if row else 0


def count_commands(client: redis.Redis) -> int:
    """Commands that Redis has done so far, also those that a script calls."""
    return int(client.info("stats")["total_commands_processed"])


def count_clients(client: redis.Redis) -> int:
    """Without the one that asks."""
    return int(client.info("clients")["connected_clients"]) - 1


def machine_busy_s() -> float:
    """CPU seconds that all processes of this machine have had, and those its host took away."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    user, nice, system, _idle, _waiting, hard, soft, stolen = fields
    return (user + nice + system + hard + soft + stolen) / TICKS

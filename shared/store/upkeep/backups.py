"""Table `backups`: how the last ones went; and what a backup needs besides the dump.

The owner takes snapshots and counts, since it sees all rows. Upkeep keeps the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg2.sql import SQL, Identifier, Literal

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows

LOCK_KEY = 7_262_817_048
#: Tables that have rows in a site that nobody uses yet.
OF_SITE = ("alembic_version", "id_salt", "account_links", "examinations", "backups", "site")


@dataclass(frozen=True, kw_only=True)
class MadeBackup:
    """The last backup that was made and read back."""

    begun_at: datetime
    byte_count: int
    has_secrets: bool


@dataclass(frozen=True, kw_only=True)
class FailedBackup:
    ended_at: datetime
    reason: str


def try_lock(connection: PgConnection) -> bool:
    """Let nobody else make a backup until the transaction ends, however long it takes."""
    execute(connection, "SET LOCAL idle_in_transaction_session_timeout = 0")
    row = fetch_row(
        connection, "SELECT pg_try_advisory_xact_lock(%(key)s) AS is_mine", key=LOCK_KEY
    )
    return bool(row and row["is_mine"])


def sees_all_rows(connection: PgConnection) -> bool:
    """Whether row-level security hides nothing from this role."""
    row = fetch_row(
        connection,
        "SELECT rolsuper OR rolbypassrls AS sees FROM pg_roles WHERE rolname = current_user",
    )
    return bool(row and row["sees"])


def count_bytes(connection: PgConnection) -> int:
    """The size of the database on its disk. A compressed dump has no indexes, and is smaller."""
    row = fetch_row(connection, "SELECT pg_database_size(current_database()) AS bytes")
    return int(row["bytes"]) if row else 0


def find_folder(connection: PgConnection) -> str | None:
    """The folder of a server on this machine. None: it is on another one, or does not tell."""
    row = fetch_row(
        connection,
        """
        SELECT setting FROM pg_settings
        WHERE name = 'data_directory' AND inet_server_addr() IS NULL
        """,
    )
    return row["setting"] if row else None


def begin_snapshot(connection: PgConnection) -> str:
    """Hold one moment of the database, and return the id by which a dump shows the same one.

    Call it first in the transaction, which then may take as long as the dump.
    """
    execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    execute(connection, "SET LOCAL idle_in_transaction_session_timeout = 0")
    execute(connection, "SET LOCAL statement_timeout = 0")
    row = fetch_row(connection, "SELECT pg_export_snapshot() AS id")
    return str(row["id"]) if row else ""


def count_rows(connection: PgConnection) -> dict[str, int]:
    """The number of rows by kind, of the kinds that people would miss."""
    row = fetch_row(
        connection,
        """
        SELECT (SELECT count(*) FROM accounts) AS accounts,
               (SELECT count(*) FROM users) AS users,
               (SELECT count(*) FROM conversations) AS conversations,
               (SELECT count(*) FROM messages) AS messages,
               (SELECT count(*) FROM attachments) AS files,
               (SELECT count(*) FROM structured_facts) AS facts,
               (SELECT count(*) FROM episodic_memory) AS episodes,
               (SELECT count(*) FROM message_embeddings) AS vectors
        """,
    )
    return {name: int(count) for name, count in row.items()} if row else {}


def list_filled(connection: PgConnection) -> list[str]:
    """The tables with rows, but for those that a site fills before anybody uses it."""
    names = fetch_rows(
        connection,
        """
        SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> ALL (%(of_site)s) ORDER BY tablename
        """,
        of_site=list(OF_SITE),
    )
    parts = (
        SQL("SELECT {} AS name WHERE EXISTS (SELECT FROM public.{})").format(
            Literal(row["name"]), Identifier(row["name"])
        )
        for row in names
    )
    union = SQL(" UNION ALL ").join(parts)
    return [row["name"] for row in fetch_rows(connection, union)] if names else []


def note_made(connection: PgConnection, backup: MadeBackup) -> None:
    execute(
        connection,
        """
        INSERT INTO backups (outcome, begun_at, byte_count, has_secrets)
        VALUES ('made', %(begun_at)s, %(byte_count)s, %(has_secrets)s)
        ON CONFLICT (outcome) DO UPDATE
        SET begun_at = excluded.begun_at, ended_at = now(), byte_count = excluded.byte_count,
            has_secrets = excluded.has_secrets
        """,
        begun_at=backup.begun_at,
        byte_count=backup.byte_count,
        has_secrets=backup.has_secrets,
    )


def note_failed(connection: PgConnection, begun_at: datetime, reason: str) -> None:
    execute(
        connection,
        """
        INSERT INTO backups (outcome, begun_at, reason) VALUES ('failed', %(begun_at)s, %(reason)s)
        ON CONFLICT (outcome) DO UPDATE
        SET begun_at = excluded.begun_at, ended_at = now(), reason = excluded.reason
        """,
        begun_at=begun_at,
        reason=reason,
    )


def find_last(connection: PgConnection) -> tuple[MadeBackup | None, FailedBackup | None]:
    """The last backup, and the failure since then."""
    rows = {row["outcome"]: row for row in fetch_rows(connection, "SELECT * FROM backups")}
    last_made, last_failed = rows.get("made"), rows.get("failed")
    if last_made and last_failed and last_failed["ended_at"] < last_made["ended_at"]:
        last_failed = None
    return _read_made(last_made) if last_made else None, _read_failed(
        last_failed
    ) if last_failed else None


def _read_made(row: Row) -> MadeBackup:
    return MadeBackup(
        begun_at=row["begun_at"], byte_count=row["byte_count"], has_secrets=row["has_secrets"]
    )


def _read_failed(row: Row) -> FailedBackup:
    return FailedBackup(ended_at=row["ended_at"], reason=row["reason"])

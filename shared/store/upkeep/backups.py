"""What a backup needs of the database besides its dump. The owner asks, who sees all rows."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row


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
    """Rows by what they are: what people would miss."""
    row = fetch_row(
        connection,
        """
        SELECT (SELECT count(*) FROM accounts) AS accounts,
               (SELECT count(*) FROM conversations) AS conversations,
               (SELECT count(*) FROM messages) AS messages,
               (SELECT count(*) FROM attachments) AS files,
               (SELECT count(*) FROM structured_facts) AS facts,
               (SELECT count(*) FROM episodic_memory) AS episodes,
               (SELECT count(*) FROM message_embeddings) AS vectors
        """,
    )
    return {name: int(count) for name, count in row.items()} if row else {}

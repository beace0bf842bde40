"""What the server and its catalog say of themselves, to whoever diagnoses a site."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import (
    Database,
    DatabaseFault,
    PgConnection,
    defer,
    fetch_row,
    name_fault,
)
from shared.errors import DatabaseUnavailableError

# Rows that need more memory than they may have (about 1 MB) are written to a temporary file on the
# disk of the tables. Neither a table nor its log grows by it, and no right is needed.
WRITE_FILE = "SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';"


@dataclass(frozen=True, kw_only=True)
class Server:
    version: str
    version_number: int
    vector_version: str | None  #: None: the extension is missing
    now_s: float  #: by its clock, since 1970
    closed_tables: int  #: that this role may not read
    may_upkeep: bool  #: whether this role may switch to that of upkeep


def read_server(connection: PgConnection) -> Server:
    row = fetch_row(
        connection,
        """
        SELECT current_setting('server_version') AS version,
               current_setting('server_version_num')::int AS version_number,
               (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector_version,
               extract(epoch FROM clock_timestamp())::float8 AS now_s,
               (SELECT count(*) FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                  AND relname <> 'id_salt'
                  AND NOT has_table_privilege(oid, 'SELECT')) AS closed_tables,
               EXISTS (SELECT FROM pg_roles
                       WHERE rolname = 'throughline_upkeep'
                         AND pg_has_role(current_user, oid, 'SET')) AS may_upkeep
        """,
    )
    assert row is not None  # noqa: S101 - there are aggregates only
    return Server(**row)


def find_write_fault(database: Database) -> DatabaseFault | None:
    """Why a message could not be kept now. None: the server takes writes, and its disk has room."""
    try:
        with database.transaction() as connection:
            defer(connection, WRITE_FILE)
            row = fetch_row(
                connection,
                """
                SELECT current_setting('transaction_read_only')::bool AS is_read_only,
                       (SELECT count(*) FROM generate_series(1, 32768)) AS count
                """,
            )
    except DatabaseUnavailableError as exc:
        return name_fault(exc)
    return "read_only" if row and row["is_read_only"] else None

"""Postgres: a pool, one context manager that owns a transaction, statements and their rows."""

from shared.db.connection import PgConnection
from shared.db.faults import ADVICE, DatabaseFault, name_fault
from shared.db.pool import Database, engine_url, enter_memory, in_memory
from shared.db.prepared import Prepared, prepared
from shared.db.statements import (
    Row,
    StatementTimeout,
    attempt,
    defer,
    execute,
    fetch_row,
    fetch_rows,
    fetch_tuples,
    until,
)

__all__ = [
    "ADVICE",
    "Database",
    "DatabaseFault",
    "PgConnection",
    "Prepared",
    "Row",
    "StatementTimeout",
    "attempt",
    "defer",
    "engine_url",
    "enter_memory",
    "execute",
    "fetch_row",
    "fetch_rows",
    "fetch_tuples",
    "in_memory",
    "name_fault",
    "prepared",
    "until",
]

"""Run statements, and read their rows.

What needs no answer (`BEGIN`, whose rows may be seen, the time that is left, savepoints) goes to
the server together with the next statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, LiteralString, TypeAlias

from psycopg2 import errors as pg_errors
from psycopg2.extensions import TRANSACTION_STATUS_INERROR
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
from psycopg2.sql import SQL, Composed

from shared.db.connection import OwnConnection, PgConnection
from shared.db.prepared import Prepared, execution, preparation
from shared.timing import Deadline
from shared.tracing import statement_span

Row = Mapping[str, Any]
#: Text that stands in the source, or is composed of such text and quoted names. Values are named
#: arguments, `%(x)s`. `tests/unit/store/test_static_sql.py` checks it, since mypy takes
#: `LiteralString` for `str`.
Sql: TypeAlias = LiteralString | Composed | Prepared

STATEMENT_TIMEOUT_MS = 15_000

# Settings of the transaction, not of the connection: a pooler such as PgBouncer takes no options
# with a connection, and lends it to others when the transaction ends.
BEGIN = """
BEGIN;
SET LOCAL statement_timeout = %(longest_ms)s;
SET LOCAL idle_in_transaction_session_timeout = %(longest_ms)s;
SET LOCAL timezone = 'UTC';
"""
SET_TIMEOUT = "SET LOCAL statement_timeout = %(timeout_ms)s;"

StatementTimeout = pg_errors.QueryCanceled
# The server knows a prepared statement no longer, or a migration has changed a column's type.
STALE = (pg_errors.InvalidSqlStatementName, pg_errors.FeatureNotSupported)


@contextmanager
def attempt(connection: PgConnection, seconds: float) -> Iterator[None]:
    """Give the statements of the block `seconds` in all. Whatever they change is undone.

    Raises `StatementTimeout`, after which the transaction goes on.
    """
    outer: Deadline | None = getattr(connection, "deadline", None)
    defer(connection, "SAVEPOINT attempt;")
    try:
        with until(connection, outer.sooner(seconds) if outer else Deadline(seconds)):
            yield
    finally:
        defer(connection, "ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt;")


def fetch_row(connection: PgConnection, sql: Sql, **args: object) -> Row | None:
    """The first row, or None."""
    with connection.cursor() as cursor:
        _run(connection, cursor, sql, args)
        row = cursor.fetchone()
        return None if row is None else dict(zip(_names(cursor), row, strict=True))


def fetch_rows(connection: PgConnection, sql: Sql, **args: object) -> list[Row]:
    """All rows."""
    with connection.cursor() as cursor:
        _run(connection, cursor, sql, args)
        names = _names(cursor)
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def fetch_tuples(connection: PgConnection, sql: Sql, **args: object) -> list[tuple[Any, ...]]:
    """All rows as tuples: cheaper than `fetch_rows`, for hundreds of rows."""
    with connection.cursor() as cursor:
        _run(connection, cursor, sql, args)
        return cursor.fetchall()


def execute(connection: PgConnection, sql: Sql, **args: object) -> int:
    """Run a statement. Returns the number of rows that it wrote or found."""
    with connection.cursor() as cursor:
        _run(connection, cursor, sql, args)
        return cursor.rowcount


def defer(connection: PgConnection, sql: LiteralString) -> None:
    """Send statements without an answer together with the next one. `sql` ends with a semicolon.

    They cost no round trip, and their errors are raised by the next statement.
    """
    if isinstance(connection, OwnConnection):
        connection.prelude += sql
    else:
        execute(connection, sql)


@contextmanager
def until(connection: PgConnection, deadline: Deadline | None) -> Iterator[None]:
    """Bound the time of all statements of the block together."""
    outer: Deadline | None = getattr(connection, "deadline", None)
    connection.deadline = deadline  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.deadline = outer  # type: ignore[attr-defined]


def _run(connection: PgConnection, cursor: Cursor, sql: Sql, args: dict[str, object]) -> None:
    if not isinstance(sql, Prepared):
        _send(connection, cursor, sql, args)
    elif isinstance(connection, OwnConnection) and connection.can_prepare:
        _run_prepared(connection, cursor, sql, args)
    else:
        _send(connection, cursor, sql.whole, args)


def _run_prepared(
    connection: OwnConnection, cursor: Cursor, statement: Prepared, args: dict[str, object]
) -> None:
    call: LiteralString | None = connection.prepared.get(statement)
    if call is None:
        whole = statement.whole
        text = whole if isinstance(whole, str) else whole.as_string(connection)
        name = f"prepared_{next(connection.numbers)}"
        connection.prelude += preparation(name, text)
        call = execution(name, text)
    try:
        _send(connection, cursor, call, args, whole=statement.whole)
    except STALE:
        connection.can_prepare = False
        raise
    connection.prepared[statement] = call


def _send(
    connection: PgConnection,
    cursor: Cursor,
    sql: LiteralString | Composed,
    args: dict[str, object],
    *,
    whole: LiteralString | Composed | None = None,
) -> None:
    """Send a statement, with the prelude and the time-out before it: all take one round trip.

    Traces show the `whole` statement in place of one that is called by its name.
    """
    prelude: LiteralString = getattr(connection, "prelude", "")
    if isinstance(connection, OwnConnection):
        args["identified_user"] = connection.user
        args["chosen_memory"] = connection.memory
        if connection.is_idle():
            prelude = BEGIN + prelude
            args["longest_ms"] = STATEMENT_TIMEOUT_MS
    deadline: Deadline | None = getattr(connection, "deadline", None)
    if deadline is not None:
        prelude = prelude + SET_TIMEOUT
        args["timeout_ms"] = _left_ms(deadline)
    was_sent = True
    try:
        with statement_span(whole or sql, cursor):
            cursor.execute(prelude + sql if isinstance(sql, str) else SQL(prelude) + sql, args)
    except Exception:
        was_sent = connection.get_transaction_status() == TRANSACTION_STATUS_INERROR
        raise
    finally:
        if was_sent and isinstance(connection, OwnConnection):
            connection.prelude = ""


def _left_ms(deadline: Deadline) -> int:
    left_ms = deadline.left_ms()
    if left_ms == 0:
        raise StatementTimeout("the deadline has passed")
    return left_ms


def _names(cursor: Cursor) -> list[str]:
    return [column.name for column in cursor.description or ()]

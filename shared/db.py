"""Connections to Postgres: a pool, one context manager that owns a transaction, access to rows.

The pool is SQLAlchemy's: it waits while all connections are in use, and replaces dead ones.
Everything else is plain psycopg2. What needs no answer (`BEGIN`, whose rows may be seen, the time
that is left, savepoints) goes to the server together with the next statement.
"""

from __future__ import annotations

import functools
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, LiteralString, TypeAlias

import psycopg2
import psycopg2.extensions
from psycopg2 import errors as pg_errors
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, TRANSACTION_STATUS_INERROR
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
from psycopg2.sql import SQL, Composed

from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError
from shared.metrics.counters import POOL_WAIT_S
from shared.models import UserId
from shared.timing import Deadline
from shared.tracing import statement_span

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

PgConnection: TypeAlias = psycopg2.extensions.connection
Row = Mapping[str, Any]
#: Text that stands in the source, or is composed of such text and quoted names. Values are named
#: arguments, `%(x)s`. `tests/unit/store/test_static_sql.py` checks it, since mypy takes
#: `LiteralString` for `str`.
Sql: TypeAlias = LiteralString | Composed

CONNECT_TIMEOUT_S = 3
POOL_TIMEOUT_S = 5
STATEMENT_TIMEOUT_MS = 15_000

# Settings of the transaction, not of the connection: a pooler such as PgBouncer takes no options
# with a connection, and lends it to others when the transaction ends.
BEGIN = """
BEGIN;
SET LOCAL statement_timeout = %(longest_ms)s;
SET LOCAL idle_in_transaction_session_timeout = %(longest_ms)s;
SET LOCAL timezone = 'UTC';
"""
# `SET`, not `set_config()`: a query would take the snapshot, and `SET TRANSACTION` must come first.
SET_USER = "SET LOCAL throughline.user_id = %(identified_user)s;"
SET_UPKEEP = "SET LOCAL ROLE throughline_upkeep;"
SET_TIMEOUT = "SET LOCAL statement_timeout = %(timeout_ms)s;"

StatementTimeout = pg_errors.QueryCanceled
# The connection is lost, or the server is full, is restarting or has become a read-only standby.
UNAVAILABLE = (
    psycopg2.OperationalError,
    psycopg2.InterfaceError,
    pg_errors.ReadOnlySqlTransaction,
    pg_errors.IdleInTransactionSessionTimeout,
)


def engine_url(database_url: str) -> str:
    """A libpq URL in SQLAlchemy's form."""
    for scheme in ("postgresql://", "postgres://"):
        if database_url.startswith(scheme):
            return "postgresql+psycopg2://" + database_url.removeprefix(scheme)
    return database_url


class OwnConnection(psycopg2.extensions.connection):
    """A connection whose transactions begin with their first statement.

    psycopg2 itself would send `BEGIN` in a round trip of its own.
    """

    #: Bounds the time of the statements.
    deadline: Deadline | None = None
    #: Statements without an answer, which go with the next one. They end with a semicolon.
    prelude: LiteralString = ""
    #: The user whom the prelude names.
    user: UserId | None = None

    def __init__(self, dsn: str, **options: Any) -> None:
        super().__init__(dsn, **options)
        self.autocommit = True  # psycopg2 begins no transaction

    def commit(self) -> None:
        if not self.is_idle():
            self._finish(self.prelude + "COMMIT")

    def rollback(self) -> None:
        if not self.is_idle():
            self._finish("ROLLBACK")
        self.prelude = ""

    def is_idle(self) -> bool:
        """No transaction has begun."""
        return self.get_transaction_status() == TRANSACTION_STATUS_IDLE

    def _finish(self, sql: LiteralString) -> None:
        self.prelude = ""
        with self.cursor() as cursor, statement_span(sql.rpartition(";")[2], cursor):
            cursor.execute(sql)


class Database:
    """A pool of connections. Nothing connects before the first `transaction()`."""

    def __init__(self, url: str, pool_size: int, name: str = "main") -> None:
        """`name` is the pool's, in metrics."""
        self._url, self._pool_size, self._name = url, pool_size, name

    @contextmanager
    def transaction(
        self, deadline: Deadline | None = None, *, user: UserId | None = None
    ) -> Iterator[PgConnection]:
        """Lend a connection for a transaction that may see one user's rows. None: nobody's.

        It commits at the end of the block, or rolls back on an error.

        Raises `DatabaseUnavailableError` for every fault of the connection or the server, and its
        kind `DatabaseTimeoutError` when a statement takes longer than `STATEMENT_TIMEOUT_MS`, or
        all of them together longer than `deadline` allows.
        """
        with self._lend(
            deadline, identity=SET_USER if user is not None else "", user=user
        ) as connection:
            yield connection

    @contextmanager
    def upkeep(self, deadline: Deadline | None = None) -> Iterator[PgConnection]:
        """As `transaction`, for work across all users: rows without what people said.

        `migrations/upkeep.py` lists what it may read and write.
        """
        with self._lend(deadline, identity=SET_UPKEEP) as connection:
            yield connection

    @contextmanager
    def _lend(
        self, deadline: Deadline | None, *, identity: LiteralString, user: UserId | None = None
    ) -> Iterator[PgConnection]:
        from sqlalchemy.exc import OperationalError as PoolOperationalError
        from sqlalchemy.exc import TimeoutError as PoolTimeoutError

        try:
            with POOL_WAIT_S.labels(pool=self._name).time():
                lent = self._engine.raw_connection()
        except (PoolTimeoutError, PoolOperationalError, psycopg2.OperationalError) as exc:
            raise DatabaseUnavailableError from exc
        try:
            connection: OwnConnection = lent.driver_connection  # type: ignore[assignment]
            connection.prelude, connection.user = identity, user
            with until(connection, deadline):
                yield connection
            connection.commit()
        except StatementTimeout as exc:
            raise DatabaseTimeoutError from exc
        except UNAVAILABLE as exc:
            lent.invalidate()
            raise DatabaseUnavailableError from exc
        finally:
            lent.close()  # back to the pool, which rolls back what was not committed

    def close(self) -> None:
        if "_engine" in self.__dict__:
            self._engine.dispose()

    @functools.cached_property
    def _engine(self) -> Engine:
        from sqlalchemy import create_engine, event

        engine = create_engine(
            engine_url(self._url),
            pool_size=self._pool_size,
            max_overflow=0,
            pool_timeout=POOL_TIMEOUT_S,
            connect_args={
                "connection_factory": OwnConnection,
                "connect_timeout": CONNECT_TIMEOUT_S,
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
            },
        )
        event.listen(engine, "connect", _register_vectors)
        event.listen(engine, "checkout", _check)
        return engine


def _register_vectors(connection: PgConnection, _record: object) -> None:
    from pgvector.psycopg2 import register_vector

    with suppress(psycopg2.ProgrammingError):  # not migrated yet; the readiness check reports it
        register_vector(connection)


def _check(connection: PgConnection, _record: object, _fairy: object) -> None:
    """Before a connection is lent. A server says nothing unasked, but that it goes away."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if not waiting.poll(0):
        return
    from sqlalchemy.exc import InvalidatePoolError

    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")  # it has read its settings anew
    except psycopg2.Error as exc:
        raise InvalidatePoolError from exc


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
    """Bound the time of the block's statements."""
    outer: Deadline | None = getattr(connection, "deadline", None)
    connection.deadline = deadline  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.deadline = outer  # type: ignore[attr-defined]


def _run(connection: PgConnection, cursor: Cursor, sql: Sql, args: dict[str, object]) -> None:
    """Run a statement, with the prelude and the time-out before it: all take one round trip."""
    prelude: LiteralString = getattr(connection, "prelude", "")
    if isinstance(connection, OwnConnection):
        args["identified_user"] = connection.user
        if connection.is_idle():
            prelude = BEGIN + prelude
            args["longest_ms"] = STATEMENT_TIMEOUT_MS
    deadline: Deadline | None = getattr(connection, "deadline", None)
    if deadline is not None:
        prelude = prelude + SET_TIMEOUT
        args["timeout_ms"] = _left_ms(deadline)
    try:
        with statement_span(sql, cursor):
            cursor.execute(prelude + sql if isinstance(sql, str) else SQL(prelude) + sql, args)
    except Exception:
        if connection.get_transaction_status() == TRANSACTION_STATUS_INERROR:
            _clear_prelude(connection)  # else nothing was sent
        raise
    _clear_prelude(connection)


def _clear_prelude(connection: PgConnection) -> None:
    if isinstance(connection, OwnConnection):
        connection.prelude = ""


def _left_ms(deadline: Deadline) -> int:
    left_ms = deadline.left_ms()
    if left_ms == 0:
        raise StatementTimeout("the deadline has passed")
    return left_ms


def _names(cursor: Cursor) -> list[str]:
    return [column.name for column in cursor.description or ()]

"""Connections to Postgres: a pool, one context manager that owns a transaction, access to rows.

The pool is SQLAlchemy's: it waits while all connections are in use, tests a connection before
lending it, and replaces dead ones. Everything else is plain psycopg2.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple, TypeAlias

import psycopg2
import psycopg2.extensions
from psycopg2 import errors as pg_errors
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
from psycopg2.extras import RealDictCursor
from psycopg2.sql import SQL, Composable, Composed, Literal

from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError
from shared.models import UserId
from shared.timing import Deadline

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

# `SET`, not `set_config()`: a query would take the snapshot, and `SET TRANSACTION` must come first.
# It ends with the transaction, so a pooler such as PgBouncer may lend the connection to others.
SET_USER = SQL("SET LOCAL throughline.user_id = %(identified_user)s;")
SET_UPKEEP = SQL("SET LOCAL ROLE throughline_upkeep;")

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


class Identity(NamedTuple):
    """The statement that says whose rows a transaction may see."""

    sql: SQL
    args: dict[str, object]


class OwnConnection(psycopg2.extensions.connection):
    """A connection with settings for its statements, which take no round trip of their own."""

    #: Bounds the time of the statements.
    deadline: Deadline | None = None
    #: Stands before the first statement of a transaction, and then is None.
    identity: Identity | None = None


class Database:
    """A pool of connections. Nothing connects before the first `transaction()`."""

    def __init__(self, url: str, pool_size: int) -> None:
        self._url = url
        self._pool_size = pool_size

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
        identity = Identity(SET_USER, {"identified_user": user})
        with self._lend(deadline, identity if user is not None else None) as connection:
            yield connection

    @contextmanager
    def upkeep(self, deadline: Deadline | None = None) -> Iterator[PgConnection]:
        """As `transaction`, for work across all users: rows without what people said.

        `migrations/upkeep.py` lists what it may read and write.
        """
        with self._lend(deadline, Identity(SET_UPKEEP, {})) as connection:
            yield connection

    @contextmanager
    def _lend(self, deadline: Deadline | None, identity: Identity | None) -> Iterator[PgConnection]:
        from sqlalchemy.exc import OperationalError as PoolOperationalError
        from sqlalchemy.exc import TimeoutError as PoolTimeoutError

        try:
            lent = self._engine.raw_connection()
        except (PoolTimeoutError, PoolOperationalError, psycopg2.OperationalError) as exc:
            raise DatabaseUnavailableError from exc
        try:
            connection: OwnConnection = lent.driver_connection  # type: ignore[assignment]
            connection.identity = identity
            with _until(connection, deadline):
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
            pool_pre_ping=True,
            connect_args={
                "connection_factory": OwnConnection,
                "connect_timeout": CONNECT_TIMEOUT_S,
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
                "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS}"
                f" -c idle_in_transaction_session_timeout={STATEMENT_TIMEOUT_MS}"
                " -c timezone=UTC",
            },
        )
        event.listen(engine, "connect", _register_vectors)
        return engine


def _register_vectors(connection: PgConnection, _record: object) -> None:
    from pgvector.psycopg2 import register_vector

    try:
        register_vector(connection)
    except psycopg2.ProgrammingError:
        connection.rollback()  # not migrated yet; the readiness check reports it
    connection.commit()


@contextmanager
def attempt(connection: PgConnection, seconds: float) -> Iterator[None]:
    """Give the statements of the block `seconds` in all. Whatever they change is undone.

    Raises `StatementTimeout`, after which the transaction goes on.
    """
    outer: Deadline | None = getattr(connection, "deadline", None)
    execute(connection, "SAVEPOINT attempt")
    try:
        with _until(connection, outer.sooner(seconds) if outer else Deadline(seconds)):
            yield
    finally:
        with _until(connection, None):  # takes no time, and must run after a time-out, too
            execute(connection, "ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt")


def fetch_row(connection: PgConnection, sql: Sql, **args: object) -> Row | None:
    """The first row, or None."""
    with connection.cursor(cursor_factory=RealDictCursor) as cursor:
        _run(connection, cursor, sql, args)
        row: Row | None = cursor.fetchone()
        return row


def fetch_rows(connection: PgConnection, sql: Sql, **args: object) -> list[Row]:
    """All rows."""
    with connection.cursor(cursor_factory=RealDictCursor) as cursor:
        _run(connection, cursor, sql, args)
        return list(cursor.fetchall())


def fetch_tuples(connection: PgConnection, sql: Sql, **args: object) -> list[tuple[Any, ...]]:
    """All rows as tuples. Five times as fast as `fetch_rows`, for hundreds of rows."""
    with connection.cursor(cursor_factory=psycopg2.extensions.cursor) as cursor:
        _run(connection, cursor, sql, args)
        return list(cursor.fetchall())


def execute(connection: PgConnection, sql: Sql, **args: object) -> int:
    """Run a statement. Returns the number of rows that it wrote or found."""
    with connection.cursor(cursor_factory=RealDictCursor) as cursor:
        _run(connection, cursor, sql, args)
        return cursor.rowcount


@contextmanager
def _until(connection: PgConnection, deadline: Deadline | None) -> Iterator[None]:
    outer: Deadline | None = getattr(connection, "deadline", None)
    connection.deadline = deadline  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.deadline = outer  # type: ignore[attr-defined]


def _run(connection: PgConnection, cursor: Cursor, sql: Sql, args: dict[str, object]) -> None:
    """Run a statement, with the user and the time-out before it: all take one round trip."""
    settings: list[Composable] = []
    identity: Identity | None = getattr(connection, "identity", None)
    if identity is not None:
        settings.append(identity.sql)
        args = args | identity.args
        connection.identity = None  # type: ignore[attr-defined]
    deadline: Deadline | None = getattr(connection, "deadline", None)
    if deadline is not None:
        settings.append(_set_timeout(deadline))
    if settings:
        sql = Composed([*settings, SQL(sql) if isinstance(sql, str) else sql])
    cursor.execute(sql, args)


def _set_timeout(deadline: Deadline) -> Composed:
    left_ms = deadline.left_ms()
    if left_ms == 0:
        raise StatementTimeout("the deadline has passed")
    return SQL("SET LOCAL statement_timeout = {};").format(Literal(left_ms))

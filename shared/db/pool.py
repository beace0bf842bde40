"""A pool of connections, and one context manager that owns a transaction.

The pool is SQLAlchemy's: it waits while all connections are in use, and replaces dead ones.
Everything else is plain psycopg2.
"""

from __future__ import annotations

import errno
import functools
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, LiteralString

import psycopg2
from psycopg2 import errors as pg_errors

from shared.db.connection import OwnConnection, PgConnection
from shared.db.prepared import is_direct
from shared.db.statements import STALE, StatementTimeout, execute
from shared.errors import DatabaseFullError, DatabaseTimeoutError, DatabaseUnavailableError
from shared.metrics.counters import POOL_WAIT_S
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.timing import Deadline

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

CONNECT_TIMEOUT_S = 3
POOL_TIMEOUT_S = 4

# `SET`, not `set_config()`: a query would take the snapshot, and `SET TRANSACTION` must come first.
SET_USER = "SET LOCAL throughline.user_id = %(identified_user)s;"
SET_MEMORY = "SET LOCAL throughline.memory = %(chosen_memory)s;"
SET_UPKEEP = "SET LOCAL ROLE throughline_upkeep;"

# The connection is lost, or the server is full, is restarting or has become a read-only standby, or
# a migration has changed what was prepared, which a new connection prepares anew.
UNAVAILABLE = (
    *STALE,
    psycopg2.OperationalError,
    psycopg2.InterfaceError,
    pg_errors.ReadOnlySqlTransaction,
    pg_errors.IdleInTransactionSessionTimeout,
)
# How the server ends its message when it cannot write. Only the first has an SQLSTATE of its own.
NOT_WRITABLE = [os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)]


def engine_url(database_url: str) -> str:
    """A libpq URL in SQLAlchemy's form."""
    for scheme in ("postgresql://", "postgres://"):
        if database_url.startswith(scheme):
            return "postgresql+psycopg2://" + database_url.removeprefix(scheme)
    return database_url


def enter_memory(connection: PgConnection, memory: MemoryScope) -> None:
    """From now on the transaction sees what is in this memory."""
    if isinstance(connection, OwnConnection):
        connection.prelude += SET_MEMORY
        connection.memory = memory
    else:
        execute(connection, SET_MEMORY, chosen_memory=memory)


@contextmanager
def in_memory(connection: PgConnection, memory: MemoryScope) -> Iterator[None]:
    """Let the block see another memory. An error in it ends the transaction."""
    before: MemoryScope = getattr(connection, "memory", SHARED_MEMORY)
    enter_memory(connection, memory)
    yield
    enter_memory(connection, before)


class Database:
    """A pool of connections. Nothing connects before the first `transaction()`."""

    def __init__(self, url: str, pool_size: int, name: str = "main") -> None:
        """`name` is the pool's, in metrics."""
        self._url, self._pool_size, self._name = url, pool_size, name

    @contextmanager
    def transaction(
        self,
        deadline: Deadline | None = None,
        *,
        user: UserId | None = None,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> Iterator[PgConnection]:
        """Lend a connection for a transaction that may see one user's rows. None: nobody's.

        Of what was learned it sees, and of what was said it finds, what is in this `memory`.

        It commits at the end of the block, or rolls back on an error.

        Raises `DatabaseUnavailableError` for every fault of the connection or the server, and its
        kinds: `DatabaseTimeoutError` when a statement takes longer than `STATEMENT_TIMEOUT_MS`, or
        all of them together longer than `deadline` allows, and `DatabaseFullError`.
        """
        with self._lend(
            deadline, identity=SET_USER if user is not None else "", user=user
        ) as connection:
            if memory != SHARED_MEMORY:
                enter_memory(connection, memory)
            yield connection

    @contextmanager
    def upkeep(self, deadline: Deadline | None = None) -> Iterator[PgConnection]:
        """Lend a transaction for work across all users: rows without what people said.

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
            connection.prelude, connection.user, connection.deadline = identity, user, deadline
            connection.memory = SHARED_MEMORY
            yield connection
            connection.commit()
        except StatementTimeout as exc:
            raise DatabaseTimeoutError from exc
        except psycopg2.Error as exc:
            if _cannot_write(exc):
                raise DatabaseFullError from exc
            if not isinstance(exc, UNAVAILABLE):
                raise
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
        event.listen(engine, "connect", self._watch)
        event.listen(engine, "connect", _register_vectors)
        event.listen(engine, "checkout", _check)
        return engine

    def _watch(self, connection: OwnConnection, _record: object) -> None:
        connection.watch(self._url)
        connection.can_prepare = is_direct(connection)
        if connection.can_prepare:
            with connection.cursor() as cursor:
                cursor.execute("SET plan_cache_mode = force_generic_plan")


def _cannot_write(error: psycopg2.Error) -> bool:
    message = (error.diag.message_primary or "") if error.diag else ""
    return isinstance(error, pg_errors.DiskFull) or message.endswith(tuple(NOT_WRITABLE))


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

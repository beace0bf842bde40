"""Run steps that may fail: an error is logged and counted, and the round goes on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Concatenate, ParamSpec, Self, TypeVar

from shared.db import Database, PgConnection, StatementTimeout, defer, until
from shared.db.pool import UNAVAILABLE
from shared.errors import DatabaseTimeoutError
from shared.metrics.counters import FAILED_STEPS
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.timing import Deadline, Steps

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

ANY_ERROR = (Exception, SystemExit)  # `SettingsError` is a SystemExit
#: For all look-ups of one prompt. What they find later is left out: a person waits for the reply.
RECALL_TIMEOUT_S = 3.0


class Guard:
    """Runs the steps of one recall for a user, and times each. To be used in a `with` block.

    `seconds` is the time for all database reads together, however many steps there are. The reads
    share a transaction; one that fails ends it, and the next read begins another. All see `memory`.
    """

    def __init__(
        self,
        database: Database,
        user_id: UserId,
        steps: Steps,
        seconds: float,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> None:
        self._database = database
        self._user_id = user_id
        self._memory = memory
        self._steps = steps
        self._left_s = seconds
        self._transaction = ExitStack()
        self._connection: PgConnection | None = None
        #: Names of the steps that failed, in their order.
        self.failed: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the connection back, before steps that take long without it."""
        self._connection = None
        try:
            self._transaction.close()
        except ANY_ERROR as exc:  # what was read is here
            note_failure("commit", exc)

    def run(
        self, name: str, otherwise: T, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a step and return its result, or `otherwise` if it raises."""
        try:
            with self._steps.step(name):
                return step(*args, **kwargs)
        except ANY_ERROR as exc:
            self._note(name, exc)
            return otherwise

    def read(
        self,
        name: str,
        otherwise: T,
        step: Callable[Concatenate[PgConnection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a step that reads the database."""
        try:
            with self._steps.step(name), self._lend() as connection:
                return step(connection, *args, **kwargs)
        except ANY_ERROR as exc:
            self._note(name, exc)
            return otherwise

    def _note(self, name: str, exc: BaseException) -> None:
        note_failure(name, exc)
        self.failed.append(name)

    @contextmanager
    def _lend(self) -> Iterator[PgConnection]:
        """The transaction, with the time that is left for reads."""
        if self._left_s <= 0:  # do not even wait for a connection
            raise DatabaseTimeoutError
        began = time.monotonic()
        deadline = Deadline(self._left_s)
        try:
            connection = self._connection or self._begin()
            with until(connection, deadline):
                yield connection
        except BaseException as exc:
            self._connection = None
            self._transaction.__exit__(type(exc), exc, exc.__traceback__)  # rolls back
            raise
        finally:
            self._left_s -= time.monotonic() - began

    def _begin(self) -> PgConnection:
        transaction = self._database.transaction(user=self._user_id, memory=self._memory)
        self._connection = self._transaction.enter_context(transaction)
        return self._connection


def may_fail(connection: PgConnection, name: str, write: Callable[[PgConnection], T]) -> T | None:
    """Run `write` and return its result. If it fails, undo it, return None, and go on.

    Raises when the connection is lost, since the whole transaction is lost with it.
    """
    defer(connection, "SAVEPOINT may_fail;")
    result = None
    try:
        result = write(connection)
    except Exception as exc:
        if isinstance(exc, UNAVAILABLE) and not isinstance(exc, StatementTimeout):
            raise
        note_failure(name, exc)
        defer(connection, "ROLLBACK TO SAVEPOINT may_fail;")
    defer(connection, "RELEASE SAVEPOINT may_fail;")
    return result


def note_failure(name: str, exc: BaseException) -> None:
    FAILED_STEPS.labels(step=name).inc()
    logger.error("step.failed", exc_info=exc, extra={"step": name})

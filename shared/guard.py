"""Run steps that may fail: an error is logged and counted, and the round goes on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, TypeVar

from shared.db import UNAVAILABLE, Database, PgConnection, StatementTimeout, execute
from shared.errors import DatabaseTimeoutError
from shared.metrics.counters import FAILED_STEPS
from shared.models import UserId
from shared.timing import Deadline, Steps

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

ANY_ERROR = (Exception, SystemExit)  # `SettingsError` is a SystemExit


class Guard:
    """Runs the steps of one recall for a user, and times each.

    `seconds` is the time for all database reads together, however many steps there are.
    """

    def __init__(self, database: Database, user_id: UserId, steps: Steps, seconds: float) -> None:
        self._database = database
        self._user_id = user_id
        self._steps = steps
        self._left_s = seconds
        #: Names of the steps that failed, in their order.
        self.failed: list[str] = []

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
        """As `run`, for a step that reads the database. The step gets its own transaction."""
        try:
            with self._steps.step(name), self._transaction() as connection:
                return step(connection, *args, **kwargs)
        except ANY_ERROR as exc:
            self._note(name, exc)
            return otherwise

    def _note(self, name: str, exc: BaseException) -> None:
        note_failure(name, exc)
        self.failed.append(name)

    @contextmanager
    def _transaction(self) -> Iterator[PgConnection]:
        """A transaction with the time that is left for reads."""
        if self._left_s <= 0:  # do not even wait for a connection
            raise DatabaseTimeoutError
        began = time.monotonic()
        try:
            deadline = Deadline(self._left_s)
            with self._database.transaction(deadline, user=self._user_id) as connection:
                yield connection
        finally:
            self._left_s -= time.monotonic() - began


def may_fail(connection: PgConnection, name: str, write: Callable[[PgConnection], T]) -> T | None:
    """Run `write` and return its result. If it fails, undo it, return None, and go on.

    Raises when the connection is lost, since the whole transaction is lost with it.
    """
    execute(connection, "SAVEPOINT may_fail")
    written = None
    try:
        written = write(connection)
    except Exception as exc:
        if isinstance(exc, UNAVAILABLE) and not isinstance(exc, StatementTimeout):
            raise
        note_failure(name, exc)
        execute(connection, "ROLLBACK TO SAVEPOINT may_fail")
    execute(connection, "RELEASE SAVEPOINT may_fail")
    return written


def note_failure(name: str, exc: BaseException) -> None:
    FAILED_STEPS.labels(step=name).inc()
    logger.error("step.failed", exc_info=exc, extra={"step": name})

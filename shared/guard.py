"""Recall may fail, a round may not: what goes wrong costs memory, and is logged and counted."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from shared.db import UNAVAILABLE, Database, PgConnection, StatementTimeout, execute
from shared.deadline import Deadline
from shared.errors import DatabaseTimeoutError
from shared.metrics import FAILED_STEPS
from shared.steps import Steps

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Guard:
    """Runs the steps of one recall. `failed` names those that failed.

    Its queries have `seconds` in all, so that none waits for long, however many there are.
    """

    def __init__(self, database: Database, steps: Steps, seconds: float) -> None:
        self._database = database
        self._steps = steps
        self._left_s = seconds
        self.failed: list[str] = []

    def run(self, name: str, step: Callable[[], T], otherwise: T) -> T:
        """What the step returns, or `otherwise` when it fails, whatever its error."""
        try:
            with self._steps.step(name):
                return step()
        except (Exception, SystemExit) as exc:  # a `SettingsError` is the latter
            note_failure(name, exc)
            self.failed.append(name)
            return otherwise

    def query(self, name: str, step: Callable[[PgConnection], T], otherwise: T) -> T:
        """The same, in a transaction of the step's own."""
        return self.run(name, lambda: self._in_time(step), otherwise)

    def _in_time(self, step: Callable[[PgConnection], T]) -> T:
        if self._left_s <= 0:  # do not even wait for a connection
            raise DatabaseTimeoutError
        began = time.monotonic()
        try:
            with self._database.transaction(Deadline(self._left_s)) as connection:
                return step(connection)
        finally:
            self._left_s -= time.monotonic() - began


def may_fail(connection: PgConnection, name: str, write: Callable[[PgConnection], T]) -> T | None:
    """What `write` returns. None: it failed, is undone, and the transaction goes on without.

    A lost connection is no such failure: the whole transaction is lost with it.
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

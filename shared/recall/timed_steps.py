"""The steps of one search: each a transaction, all before one deadline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from shared.db import Database, PgConnection
from shared.deadline import Deadline
from shared.errors import DatabaseTimeoutError

T = TypeVar("T")


class TimedSteps:
    """A step that is not done in time is left out, and the others are done all the same."""

    def __init__(self, database: Database, deadline: Deadline) -> None:
        self._database = database
        self._deadline = deadline
        self.all_done = True

    def try_one(self, step: Callable[[PgConnection], T]) -> T | None:
        """None: it was not done in time."""
        try:
            with self._database.transaction(self._deadline) as connection:
                return step(connection)
        except DatabaseTimeoutError:
            self.all_done = False
            return None

"""A connection of psycopg2 that begins its transactions without a round trip of its own."""

from __future__ import annotations

import itertools
from typing import Any, LiteralString, TypeAlias

import psycopg2.extensions
from psycopg2.extensions import TRANSACTION_STATUS_IDLE

from shared.db.silence import WATCH, Wait, WatchedCursor
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.timing import Deadline
from shared.tracing import statement_span

PgConnection: TypeAlias = psycopg2.extensions.connection


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
    #: The memory that the prelude chooses.
    memory: MemoryScope = SHARED_MEMORY
    #: Whether statements that are prepared will be there in later transactions.
    can_prepare: bool = False
    #: What ends its waits for a silent server. None: it is not watched.
    wait: Wait | None = None

    def __init__(self, dsn: str, **options: Any) -> None:
        super().__init__(dsn, **options)
        self.autocommit = True  # psycopg2 begins no transaction
        self.cursor_factory = WatchedCursor
        #: How to run each statement that is prepared.
        self.prepared: dict[object, LiteralString] = {}
        #: The numbers in their names.
        self.numbers = itertools.count()

    def watch(self, url: str) -> None:
        """Watch the connection: its statements end when the server at `url` falls silent."""
        self.wait = Wait(url)
        WATCH.add(self.wait)

    def commit(self) -> None:
        if not self.is_idle():
            self._finish(self.prelude + "COMMIT", chosen_memory=self.memory)

    def rollback(self) -> None:
        if not self.is_idle():
            self._finish("ROLLBACK")
        self.prelude = ""

    def is_idle(self) -> bool:
        """Whether no transaction has begun."""
        return self.get_transaction_status() == TRANSACTION_STATUS_IDLE

    def _finish(self, sql: LiteralString, **args: object) -> None:
        self.prelude = ""
        args = {"identified_user": self.user, "chosen_memory": self.memory}
        with self.cursor() as cursor, statement_span(sql.rpartition(";")[2], cursor):
            cursor.execute(sql, args)

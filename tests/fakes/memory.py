"""In-memory services for tests of recall: an empty database, and the turns in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from psycopg2.extensions import TRANSACTION_STATUS_INERROR

from shared.db import Database, PgConnection
from shared.ephemeral.short_term import ShortTermMemory
from shared.guard import RECALL_TIMEOUT_S
from shared.llm.model_catalog import ModelCatalog
from shared.models import ConversationId, Turn, UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.services import Services
from shared.settings import read_settings
from shared.timing import Deadline


class EmptyCursor:
    """Every query finds nothing."""

    description = ()
    rowcount = 0

    def __init__(self, database: EmptyDatabase) -> None:
        self._database = database

    def __enter__(self) -> EmptyCursor:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, _sql: object, _args: object) -> None:
        self._database.run()

    def fetchone(self) -> None:
        return None

    def fetchall(self) -> list[Any]:
        return []


class EmptyConnection:
    deadline: Deadline | None = None

    def __init__(self, database: EmptyDatabase) -> None:
        self._database = database

    def cursor(self) -> EmptyCursor:
        return EmptyCursor(self._database)

    def get_transaction_status(self) -> int:
        return TRANSACTION_STATUS_INERROR


class EmptyDatabase(Database):
    """A database in which nobody has said anything.

    `errors` end the transactions in their order, `statement_errors` the statements. None is one
    that goes well; after the last of them all do, unless `then` is set, for transactions.
    """

    def __init__(
        self,
        errors: Sequence[Exception | None] = (),
        then: Exception | None = None,
        statement_errors: Sequence[Exception | None] = (),
    ) -> None:
        super().__init__("postgresql://nowhere", pool_size=1)
        self._errors = list(errors)
        self._then = then
        self._statement_errors = list(statement_errors)
        self.transactions = 0
        self.statements = 0

    @contextmanager
    def transaction(
        self,
        deadline: Deadline | None = None,
        *,
        user: UserId | None = None,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> Iterator[PgConnection]:
        self.transactions += 1
        error = self._errors.pop(0) if self._errors else self._then
        if error is not None:
            raise error
        yield cast(PgConnection, EmptyConnection(self))

    def run(self) -> None:
        self.statements += 1
        error = self._statement_errors.pop(0) if self._statement_errors else None
        if error is not None:
            raise error


class ListedTurns(ShortTermMemory):
    """Short-term memory of one conversation, in a list."""

    def __init__(self, turns: Sequence[Turn] = ()) -> None:
        self.turns = list(turns)

    def list_turns(self, conversation_id: ConversationId) -> list[Turn]:
        return list(self.turns)

    def append_turns(self, conversation_id: ConversationId, turns: Sequence[Turn]) -> None:
        self.turns += turns


class FakeServices(Services):
    """Only what recall reads. Nothing connects anywhere."""

    def __init__(
        self,
        database: Database,
        turns: Sequence[Turn] = (),
        recall_timeout_s: float = RECALL_TIMEOUT_S,
        **settings: object,
    ) -> None:
        self.settings = read_settings(**settings)
        self.recall_timeout_s = recall_timeout_s
        self.database = database
        self.models = ModelCatalog(EmptyDatabase(), self.settings)
        self.short_term = ListedTurns(turns)

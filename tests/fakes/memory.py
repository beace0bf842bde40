"""In-memory services for tests of recall: an empty database, and the turns in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from shared.db import Database, PgConnection
from shared.ephemeral.short_term import ShortTermMemory
from shared.models import ConversationId, Turn, UserId
from shared.services import Services
from shared.settings import read_settings
from shared.timing import Deadline


class EmptyCursor:
    """Every query finds nothing."""

    rowcount = 0

    def __enter__(self) -> EmptyCursor:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, _sql: object, _args: object) -> None:
        pass

    def fetchone(self) -> None:
        return None

    def fetchall(self) -> list[Any]:
        return []


class EmptyConnection:
    deadline: Deadline | None = None

    def cursor(self, cursor_factory: object) -> EmptyCursor:
        return EmptyCursor()


class EmptyDatabase(Database):
    """A database in which nobody has said anything. `errors` end the transactions in their order.

    None is a transaction that goes well; after the last of `errors` all do, unless `then` is set.
    """

    def __init__(
        self, errors: Sequence[Exception | None] = (), then: Exception | None = None
    ) -> None:
        super().__init__("postgresql://nowhere", pool_size=1)
        self._errors = list(errors)
        self._then = then
        self.transactions = 0

    @contextmanager
    def transaction(
        self, deadline: Deadline | None = None, *, user: UserId | None = None
    ) -> Iterator[PgConnection]:
        self.transactions += 1
        error = self._errors.pop(0) if self._errors else self._then
        if error is not None:
            raise error
        yield cast(PgConnection, EmptyConnection())


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

    def __init__(self, database: Database, turns: Sequence[Turn] = (), **settings: object) -> None:
        self.settings = read_settings(**settings)
        self.database = database
        self.short_term = ListedTurns(turns)

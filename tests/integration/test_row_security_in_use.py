"""Row-level security after an upgrade, and in what workers do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shared.db import Database, PgConnection, fetch_rows
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.services import Services as Product
from shared.timing import Deadline
from tests.integration.conversing import Conversing
from tests.integration.row_security import full
from tests.integration.worker import work_off

__all__ = ["full"]

SPEAKERS = "SELECT DISTINCT user_id FROM messages"


class Watched(Database):
    """Notes at the end of each transaction whose messages it can see."""

    def __init__(self, url: str, pool_size: int) -> None:
        super().__init__(url, pool_size)
        self.seen: list[tuple[UserId | None, set[str]]] = []

    @contextmanager
    def transaction(
        self,
        deadline: Deadline | None = None,
        *,
        user: UserId | None = None,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> Iterator[PgConnection]:
        with super().transaction(deadline, user=user, memory=memory) as connection:
            yield connection
            speakers = {row["user_id"] for row in fetch_rows(connection, SPEAKERS)}
            self.seen.append((user, speakers))


def test_a_worker_sees_the_messages_of_the_user_whose_job_it_does(product: Product) -> None:
    for user in ("ada", "bob"):
        talk = Conversing(product, user_id=UserId(user))
        for number in range(11):
            talk.round(f"My name is {user.title()}, and my favourite number is {number}.")
    product.database.close()
    watched = Watched(product.settings.database_url, product.settings.db_pool_size)
    product.database = watched
    work_off(product)
    assert {user for user, _ in watched.seen if user} == {"ada", "bob"}
    for owner, speakers in watched.seen:
        assert speakers <= {owner}

"""Row-level security after an upgrade, and in what workers do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from psycopg2.sql import SQL, Identifier

from migrations import downgrade, upgrade
from migrations.roles import grant_application
from shared.db import Database, PgConnection, fetch_rows
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.services import Services as Product
from shared.timing import Deadline
from tests.integration.conversing import Conversing
from tests.integration.row_security import application, full, list_owned
from tests.integration.worker import work_off
from tests.services import as_owner, owner_url

__all__ = ["full"]

BEFORE = "0026"  # the last schema without quotas, OAuth and row-level security
YOUNGER = {
    "attachment_contents",
    "attachments",
    "file_passages",
    "uncut_files",
    "personas",
    "projects",
    "tidyings",
    "prompts",
    "reply_variants",
    "kept_answers",
    "oauth_grants",
    "responses",
    "shares",
}  # their rows do not survive the way down
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


@pytest.mark.changes_schema
def test_rows_of_two_users_are_kept_apart_once_their_database_is_upgraded(full: Product) -> None:
    url = owner_url(full.settings.database_url)
    full.database.close()
    downgrade(url, BEFORE)
    upgrade(url)
    grant_application(url, full.settings.database_url)
    checked = set()
    for table in list_owned(full):
        select = SQL("SELECT user_id, count(*) FROM {} GROUP BY 1").format(Identifier(table))
        with as_owner(full) as connection:
            there = {row["user_id"]: row["count"] for row in fetch_rows(connection, select)}
        for user in ("ada", "bob", "nobody"):
            with application(full, user) as cursor:
                cursor.execute(select)
                expected = [(user, there[user])] if user in there else []
                assert cursor.fetchall() == expected, table
        if there.keys() == {"ada", "bob"}:
            checked.add(table)
    assert checked >= set(list_owned(full)) - YOUNGER - {"usage_days"}


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

"""Transactions against a clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from psycopg2 import errors as pg_errors

from shared.db import (
    PgConnection,
    StatementTimeout,
    attempt,
    execute,
    fetch_row,
    fetch_rows,
    fetch_tuples,
    in_memory,
    prepared,
)
from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError
from shared.models import UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.services import Services
from shared.timing import Deadline

ADA = UserId("ada")


def usual_timeout(connection: PgConnection) -> str:
    row = fetch_row(connection, "SHOW statement_timeout")
    assert row is not None
    return str(row["statement_timeout"])


def count_naps(connection: PgConnection) -> Iterator[int]:
    while True:
        fetch_rows(connection, "SELECT pg_sleep(0.1)")
        yield 1


def write_and_sleep(product: Services) -> None:
    with product.database.transaction(Deadline(0.2), user=ADA) as connection:
        execute(connection, "INSERT INTO users VALUES ('ada')")
        fetch_rows(connection, "SELECT pg_sleep(30)")


def fetch_kept(connection: PgConnection) -> list[tuple[object, ...]]:
    return fetch_tuples(
        connection,
        prepared("SELECT value, %(share)s || '%%' FROM kept WHERE name = ANY(%(names)s::text[])"),
        names=["a'b", "c"],
        share="5",
    )


def count_prepared(connection: PgConnection) -> int:
    return len(fetch_rows(connection, "SELECT FROM pg_prepared_statements"))


def lose_prepared(product: Services) -> None:
    with product.closings.transaction() as connection:
        fetch_tuples(connection, prepared("SELECT 1"))
        execute(connection, "DEALLOCATE ALL")
        fetch_tuples(connection, prepared("SELECT 1"))


def set_and_sleep(connection: PgConnection) -> None:
    with attempt(connection, 0.1):
        execute(connection, "SET LOCAL enable_seqscan = off")
        fetch_rows(connection, "SELECT pg_sleep(30)")


def test_all_statements_of_a_transaction_share_one_deadline(product: Services) -> None:
    naps: list[int] = []
    with (
        pytest.raises(DatabaseTimeoutError),
        product.database.transaction(Deadline(0.5)) as connection,
    ):
        naps.extend(count_naps(connection))
    assert len(naps) < 5


def test_what_was_written_before_the_deadline_passed_is_rolled_back(product: Services) -> None:
    with pytest.raises(DatabaseTimeoutError):
        write_and_sleep(product)
    with product.database.transaction(user=ADA) as connection:
        assert fetch_rows(connection, "SELECT FROM users") == []
        assert usual_timeout(connection) == "15s"


def test_an_attempt_that_takes_too_long_leaves_the_transaction_as_it_was(
    product: Services,
) -> None:
    with product.database.transaction(user=ADA) as connection:
        execute(connection, "INSERT INTO users VALUES ('ada')")
        with pytest.raises(StatementTimeout):
            set_and_sleep(connection)
        assert usual_timeout(connection) == "15s"
        assert fetch_row(connection, "SHOW enable_seqscan") == {"enable_seqscan": "on"}
    with product.database.transaction(user=ADA) as connection:
        assert len(fetch_rows(connection, "SELECT FROM users")) == 1


def test_an_attempt_within_an_attempt_ends_with_the_outer_one(product: Services) -> None:
    with product.database.transaction() as connection:
        with pytest.raises(StatementTimeout), attempt(connection, 0.2), attempt(connection, 60):
            fetch_rows(connection, "SELECT pg_sleep(30)")
        assert fetch_row(connection, "SELECT 1 AS one") == {"one": 1}


def test_an_attempt_has_no_more_time_than_its_transaction(product: Services) -> None:
    with (
        pytest.raises(DatabaseTimeoutError),
        product.database.transaction(Deadline(0.2)) as connection,
        attempt(connection, 60),
    ):
        fetch_rows(connection, "SELECT pg_sleep(30)")


@pytest.mark.parametrize("user", ["ada", "50%", "o'hara \\ %(x)s"])
def test_the_first_statement_says_whose_transaction_it_is(product: Services, user: str) -> None:
    with product.database.transaction(user=UserId(user)) as connection:
        assert user_of(connection) == user
        assert user_of(connection) == user


def test_the_user_ends_with_the_transaction(product: Services) -> None:
    with product.database.transaction(user=UserId("ada")) as connection:
        execute(connection, "SELECT 1")
    with product.database.transaction() as connection:
        assert not user_of(connection)
    with product.database.transaction(user=UserId("ada")):
        pass  # no statement has told the server
    with product.database.transaction() as connection:
        assert not user_of(connection)


def test_the_user_stands_through_an_attempt_that_is_undone(product: Services) -> None:
    with product.database.transaction(user=UserId("ada")) as connection:
        with attempt(connection, 5):
            execute(connection, "SELECT 1")
        assert user_of(connection) == "ada"


def user_of(connection: PgConnection) -> str | None:
    row = fetch_row(connection, "SELECT current_setting('throughline.user_id', true) AS user_id")
    assert row is not None
    user: str | None = row["user_id"]
    return user


def test_a_transaction_ends_with_the_memory_that_it_has_come_back_to(product: Services) -> None:
    """No statement follows, so that the choice goes with the commit."""
    with product.database.transaction(user=ADA) as connection, in_memory(connection, ALL_MEMORIES):
        execute(connection, "INSERT INTO users VALUES ('ada')")
    with product.database.transaction(user=ADA) as connection:
        assert len(fetch_rows(connection, "SELECT FROM users")) == 1


def test_a_statement_is_prepared_once_for_a_connection(product: Services) -> None:
    with product.closings.transaction() as connection:
        execute(connection, "CREATE TEMP TABLE kept AS SELECT 1 AS value, 'a''b' AS name")
        before = count_prepared(connection)
        assert [fetch_kept(connection) for _ in range(2)] == [[(1, "5%")]] * 2
        assert count_prepared(connection) == before + 1
        connection.rollback()
        assert count_prepared(connection) == before + 1


def test_a_statement_that_a_migration_has_changed_is_prepared_no_more(product: Services) -> None:
    with product.closings.transaction() as connection:
        execute(connection, "CREATE TEMP TABLE kept AS SELECT 1 AS value, 'c' AS name")
        assert fetch_kept(connection) == [(1, "5%")]
        execute(connection, "ALTER TABLE kept ALTER value TYPE text; SAVEPOINT migrated")
        with pytest.raises(pg_errors.FeatureNotSupported):
            fetch_kept(connection)
        execute(connection, "ROLLBACK TO SAVEPOINT migrated")
        assert fetch_kept(connection) == [("1", "5%")]


def test_a_connection_that_has_lost_its_statements_is_replaced(product: Services) -> None:
    with pytest.raises(DatabaseUnavailableError):
        lose_prepared(product)
    with product.closings.transaction() as connection:
        assert fetch_tuples(connection, prepared("SELECT 1")) == [(1,)]

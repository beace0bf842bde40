from __future__ import annotations

import pytest

from shared.db import Database, execute
from shared.store.upkeep.server_log import list_revealing


@pytest.fixture
def database(database_url: str) -> Database:
    return Database(database_url, pool_size=1)


def test_the_embedded_server_reveals_nothing(database: Database) -> None:
    with database.transaction() as connection:
        assert list_revealing(connection) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("log_min_messages", "warning"),
        ("log_min_error_statement", "error"),
        ("log_error_verbosity", "default"),
        ("log_statement", "mod"),
        ("log_min_duration_statement", "1000"),
    ],
)
def test_what_reveals_statements_is_named(database: Database, name: str, value: str) -> None:
    with database.transaction() as connection:
        execute(connection, "SELECT set_config(%(name)s, %(value)s, true)", name=name, value=value)
        assert list_revealing(connection) == [name]

"""Postgres' statistics hold nothing of what people say, which would outlive its deletion there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import psycopg2
import pytest

from tests.integration.user_data.erasure.scanning import find_in_statistics
from tests.integration.user_data.erasure.test_messages import say, work
from tests.integration.web.conftest import Browser, make_browser
from tests.services import as_owner

__all__ = ["make_browser"]

MARK = "Quincunx"
#: By these, queries are planned: ids of users, and words of our own. They keep their statistics.
PLANNED_BY = {"user_id", "status", "role", "category", "embedding_model"}
#: Columns of tables and expressions of indexes whose values are of variable length.
LIST_TEXTS = """
    SELECT c.relname, a.attname FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_index i ON i.indexrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'alembic%'
      AND (t.typlen < 0 OR t.typcategory = 'S') AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attstattarget IS DISTINCT FROM 0
      AND (c.relkind IN ('r', 'p', 'm')
           OR c.relkind IN ('i', 'I') AND i.indkey[a.attnum - 1] = 0
              AND i.indrelid::regclass::text <> 'site_models')
    UNION ALL
    SELECT c.relname, s.stxname FROM pg_statistic_ext s JOIN pg_class c ON c.oid = s.stxrelid
"""


def run(url: str, *statements: str) -> None:
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def list_in_statistics(url: str) -> list[str]:
    with closing(psycopg2.connect(url)) as connection:
        return find_in_statistics(connection, MARK)


def list_texts(url: str) -> set[tuple[str, str]]:
    """The texts that ANALYZE would copy: (relation, column)."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(LIST_TEXTS)
        return {(table, column) for table, column in cursor if column not in PLANNED_BY}


def test_no_column_of_texts_has_statistics(database_url: str) -> None:
    assert list_texts(database_url) == set(), "ALTER TABLE … ALTER COLUMN … SET STATISTICS 0"


@pytest.mark.changes_schema
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE messages ADD COLUMN later text",
        "ALTER TABLE messages ADD COLUMN later varchar(90)",
        "ALTER TABLE messages ADD COLUMN later name",
        "ALTER TABLE messages ADD COLUMN later text[]",
        "ALTER TABLE messages ADD COLUMN later jsonb",
        "ALTER TABLE messages ADD COLUMN later tsvector",
        "ALTER TABLE messages ADD COLUMN later bytea",
        "ALTER TABLE messages ADD COLUMN later vector(3)",
        "CREATE DOMAIN word AS text; ALTER TABLE messages ADD COLUMN later word",
        "CREATE TABLE later (said text)",
        "CREATE MATERIALIZED VIEW later AS SELECT content FROM messages",
        "CREATE INDEX later ON messages (lower(content))",
        "CREATE STATISTICS later ON role, content FROM messages",
        "CREATE STATISTICS later ON (lower(content)) FROM messages",
    ],
)
def test_a_later_one_is_seen(database_url: str, statement: str) -> None:
    run(database_url, statement)
    assert len(list_texts(database_url)) == 1


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(memory_window_limit=4)


def test_nothing_that_was_said_is_in_them(site: Browser, database_url: str) -> None:
    for number in range(3):
        say(site, f"Plan a garden as a {MARK} {number}.", f"My boat is called {MARK} {number}.",
            "Go on.")  # fmt: skip
        body = {"name": f"{MARK} {number}", "text": MARK, "instructions": MARK, "mode": "active"}
        for path in ("prompts", "personas"):
            fields = {"name", "text"} if path == "prompts" else {"name", "instructions", "mode"}
            answer = site.client.post(f"/api/v1/{path}", json={f: body[f] for f in fields})
            assert answer.status_code == 201, answer.text
    work(site.context.services)
    with as_owner(site.context.services) as connection, connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SELECT count(*) FROM pg_statistic WHERE starelid = 'messages'::regclass")
        assert cursor.fetchone() != (0,)
        assert find_in_statistics(connection, MARK) == []

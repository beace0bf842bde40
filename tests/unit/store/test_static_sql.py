"""SQL is text that stands in the source: nothing is put into it at run time but quoted names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.store.static_sql import find_dynamic_sql

ROOT = Path(__file__).parents[3]
WALKED = ("shared", "web", "workers")
DECLARES = """
from typing import LiteralString
from psycopg2.sql import SQL, Composed, Identifier

Sql = LiteralString | Composed
COLUMNS = "id, name"

def execute(connection: object, sql: Sql, **args: object) -> int: ...

def statement(template: LiteralString) -> Composed: ...

class Table:
    emptied: LiteralString

INVARIANTS: dict[str, LiteralString] = {"none": "SELECT"}
"""


def read(*roots: str) -> dict[str, str]:
    paths = [path for root in roots for path in sorted((ROOT / root).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def test_no_sql_is_put_together_at_run_time() -> None:
    assert find_dynamic_sql(read(*WALKED)) == []


@pytest.mark.parametrize(
    "body",
    [
        'execute(c, "SELECT 1")',
        'execute(c, "SELECT " + COLUMNS)',
        'sql = "SELECT 1"; execute(c, sql)',
        'execute(c, statement("SELECT {table}"))',
        'execute(c, SQL("SELECT {}").format(Identifier(name)))',
        'execute(c, statement(Table(emptied="x = NULL").emptied))',
        "[execute(c, sql) for _, sql in INVARIANTS.items()]",
    ],
)
def test_static_sql_passes(body: str) -> None:
    source = f"{DECLARES}\ndef run(c: object, name: str) -> None:\n    {body}\n"
    assert find_dynamic_sql({"a.py": source}) == []


@pytest.mark.parametrize(
    "body",
    [
        'execute(c, f"SELECT {name}")',
        'execute(c, "SELECT %s" % name)',
        'execute(c, "SELECT {}".format(name))',
        'execute(c, "SELECT " + name)',
        "execute(c, name)",
        "execute(c, sql=name)",
        'sql = "SELECT "; sql = sql + name; execute(c, sql)',
        'sql = "SELECT "; sql += name; execute(c, sql)',
        "execute(c, statement(name))",
        'execute(c, SQL("SELECT " + name))',
        "Table(emptied=name)",
        "cursor.execute(name)",
    ],
)
def test_sql_with_a_value_in_it_is_found(body: str) -> None:
    source = f"{DECLARES}\ndef run(c: object, name: str) -> None:\n    {body}\n"
    assert find_dynamic_sql({"a.py": source}) == ["a.py:18"]

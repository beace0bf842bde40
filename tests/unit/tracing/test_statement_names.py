from __future__ import annotations

import pytest

from shared.tracing.statement_names import read_statement


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("INSERT INTO messages (content) VALUES (%(content)s)", "INSERT messages"),
        ("INSERT INTO users (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 1", "INSERT users"),
        ("UPDATE conversations SET title = %(title)s", "UPDATE conversations"),
        ("DELETE FROM tombstones", "DELETE tombstones"),
        ("SELECT * FROM memory WHERE id = 1 FOR UPDATE OF memory", "SELECT memory"),
        ("SELECT 1 FROM users FOR NO KEY UPDATE SKIP LOCKED", "SELECT users"),
        ("\n  WITH due AS (SELECT 1 FROM titles)\n  UPDATE titles SET x = 1", "UPDATE titles"),
        ("WITH due AS (SELECT 1 FROM titles) SELECT * FROM due", "SELECT titles"),
        ('UPDATE "memory" SET lease_until = now()', "UPDATE memory"),
        ("COMMIT", "COMMIT"),
        ("SELECT 1", "SELECT"),
    ],
)
def test_a_statement_is_named_by_its_command_and_table(text: str, name: str) -> None:
    assert read_statement(text).name == name

"""The schema, up and down and up again; several starts at once."""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg2

from migrations import downgrade, upgrade

TABLES = {
    "users",
    "conversations",
    "messages",
    "memory",
    "episodic_memory",
    "structured_facts",
    "fact_extractions",
    "titles",
    "long_term_memories",
}


def relations(url: str) -> set[str]:
    connection = psycopg2.connect(url)
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
        names = {name for (name,) in cursor.fetchall()}
    connection.close()
    return names


def indexes(url: str) -> set[str]:
    return {name for name in relations(url) if name.endswith("_one_processing")}


def test_up_down_and_up_again(empty_database_url: str) -> None:
    upgrade(empty_database_url)
    there = relations(empty_database_url)
    assert there >= TABLES
    assert len(indexes(empty_database_url)) == 4
    downgrade(empty_database_url, "base")
    assert not relations(empty_database_url) & TABLES
    upgrade(empty_database_url)
    assert relations(empty_database_url) == there


def test_several_starts_at_once_are_safe(empty_database_url: str) -> None:
    command = [sys.executable, "-m", "migrations"]
    environment = os.environ | {"DATABASE_URL": empty_database_url}
    starts = [subprocess.Popen(command, env=environment) for _ in range(4)]
    assert [start.wait(60) for start in starts] == [0, 0, 0, 0]
    assert relations(empty_database_url) >= TABLES

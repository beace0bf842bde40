"""The schema, up and down and up again; several starts at once."""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg2
from alembic.config import Config
from alembic.script import ScriptDirectory

from migrations import FOLDER, downgrade, newest_revision, upgrade

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


def test_the_newest_revision_is_told_by_the_files_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    assert newest_revision() == ScriptDirectory.from_config(config).get_current_head()


def test_where_nothing_is_to_be_migrated_alembic_is_not_imported(empty_database_url: str) -> None:
    upgrade(empty_database_url)
    code = (
        "import sys, migrations; migrations.upgrade(sys.argv[1]); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", code, empty_database_url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_unknown_revision_is_one_sentence(empty_database_url: str) -> None:
    command = [sys.executable, "-m", "migrations", "upgrade", "9999"]
    environment = os.environ | {"DATABASE_URL": empty_database_url}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "9999" in done.stderr
    assert "Traceback" not in done.stderr

"""The schema, up and down and up again; several starts at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from migrations import (
    FOLDER,
    downgrade,
    last_before,
    newest_revision,
    oldest_revision,
    upgrade,
)
from migrations.schema import dump_schema
from shared.maintenance.commands import CommandError
from shared.store.upkeep import schema
from tests.integration.locks import wait_for_blocked_statement
from tests.services import Services

TABLES = {
    "users",
    "conversations",
    "messages",
    "memory",
    "episodic_memory",
    "structured_facts",
    "fact_extractions",
    "titles",
    "tidyings",
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


def test_up_down_and_up_again(services: Services, empty_database_url: str) -> None:
    upgrade(empty_database_url)
    assert relations(empty_database_url) >= TABLES
    assert len(indexes(empty_database_url)) == 5
    schema = dump_schema(empty_database_url, services.postgres.pg_dump)
    downgrade(empty_database_url, oldest_revision())
    upgrade(empty_database_url)
    assert dump_schema(empty_database_url, services.postgres.pg_dump) == schema


def test_a_database_older_than_the_baseline_is_told_in_one_sentence(
    empty_database_url: str,
) -> None:
    with closing(psycopg2.connect(empty_database_url)) as connection, connection:
        connection.cursor().execute(
            "CREATE TABLE alembic_version (version_num text);"
            "INSERT INTO alembic_version VALUES ('0057')"
        )
    with pytest.raises(CommandError, match="has the schema 0057, and this version upgrades from"):
        upgrade(empty_database_url)
    assert relations(empty_database_url) == {"alembic_version"}


def test_nothing_is_older_than_the_baseline(empty_database_url: str) -> None:
    upgrade(empty_database_url)
    there = relations(empty_database_url)
    with pytest.raises(CommandError, match="no schema before"):
        downgrade(empty_database_url, "base")
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


NEWER = """
from alembic import op

PHASE = "{phase}"
revision = "9999"
down_revision = "{down}"


def upgrade() -> None:
    op.execute("DROP INDEX messages_rated")
    op.execute("ALTER TABLE conversations ADD COLUMN newer text")
"""


@pytest.fixture
def newer_code(tmp_path: Path) -> Callable[[str], Path]:
    """The folder of a version with one more migration, of the phase that is asked for."""

    def make(phase: str) -> Path:
        newest = newest_revision()
        for name in ("shared", "pyproject.toml"):
            (tmp_path / name).symlink_to(FOLDER.parent / name)
        shutil.copytree(FOLDER, tmp_path / "migrations")
        migration = NEWER.format(phase=phase, down=newest)
        (tmp_path / "migrations/versions/9999_newer.py").write_text(migration)
        return tmp_path

    return make


UPGRADE = "import sys, migrations; migrations.upgrade(*sys.argv[1:2], patience_s=int(sys.argv[2]))"


def start_upgrade(code: Path, url: str, patience_s: int = 60) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", UPGRADE, url, str(patience_s)]
    return subprocess.Popen(command, cwd=code, stderr=subprocess.PIPE, text=True)


def test_what_the_version_before_needs_goes_last(
    empty_database_url: str, newer_code: Callable[[str], Path]
) -> None:
    code = newer_code("after")

    def run(*arguments: str) -> set[str]:
        command = [sys.executable, "-m", "migrations", *arguments]
        environment = os.environ | {"DATABASE_URL": empty_database_url}
        subprocess.run(command, cwd=code, env=environment, check=True)
        return relations(empty_database_url)

    assert "messages_rated" in run("upgrade", "before")
    assert "messages_rated" in run("upgrade", "before")  # again: nothing to do
    assert "messages_rated" not in run("upgrade")
    assert "messages_rated" not in run("upgrade", "before")  # never back


def test_the_code_says_which_revision_it_needs() -> None:
    assert last_before() == schema.NEEDED


def test_a_schema_is_enough_when_it_is_as_new_as_the_code_or_newer() -> None:
    assert [schema.is_enough(r) for r in (None, "0001", schema.NEEDED, "9999")] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("first", "second"), [("messages", "conversations"), ("conversations", "messages")]
)
def test_a_migration_gives_way_to_rounds(
    empty_database_url: str, newer_code: Callable[[str], Path], first: str, second: str
) -> None:
    """The round holds what the migration waits for, and needs what the migration may hold."""
    upgrade(empty_database_url)
    with closing(psycopg2.connect(empty_database_url)) as round_:
        cursor = round_.cursor()
        cursor.execute(f"LOCK TABLE {first} IN ROW EXCLUSIVE MODE")
        migrating = start_upgrade(newer_code("before"), empty_database_url)
        wait_for_blocked_statement(empty_database_url)
        cursor.execute(f"LOCK TABLE {second} IN ROW EXCLUSIVE MODE")
        round_.commit()
        migrating.communicate(timeout=60)
    assert schema.read_revision(empty_database_url) == "9999"


def test_a_lock_that_is_never_given_ends_the_migration_and_leaves_nothing_of_it(
    empty_database_url: str, newer_code: Callable[[str], Path]
) -> None:
    upgrade(empty_database_url)
    with closing(psycopg2.connect(empty_database_url)) as holder:
        holder.cursor().execute("LOCK TABLE conversations IN ACCESS SHARE MODE")
        migrating = start_upgrade(newer_code("before"), empty_database_url, patience_s=1)
        _, error = migrating.communicate(timeout=60)
    assert "lock timeout" in error
    assert "messages_rated" in relations(empty_database_url)


def test_migrations_wait_for_a_database_that_comes_later(services: Services) -> None:
    name = "comes_later"
    url = services.postgres.url_of(name)
    command = [sys.executable, "-u", "-m", "migrations", "--wait", "600"]
    environment = os.environ | {"DATABASE_URL": url}
    start = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert start.stdout is not None
        assert "not there yet (no_database): trying for 600 s" in start.stdout.readline()
        services.databases.create(name, "template0")
        start.communicate()
        assert start.returncode == 0
        assert relations(url) >= TABLES
    finally:
        start.kill()
        services.databases._drop(name)

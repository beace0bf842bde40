"""The schema, up and down and up again; several starts at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError

from migrations import FOLDER, downgrade, last_before, newest_revision, upgrade
from shared.store.upkeep import schema
from tests.integration.locks import wait_for_blocked_statement
from tests.services import Services, as_application

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


def test_up_down_and_up_again(empty_database_url: str) -> None:
    upgrade(empty_database_url)
    there = relations(empty_database_url)
    assert there >= TABLES
    assert len(indexes(empty_database_url)) == 5
    downgrade(empty_database_url, "base")
    assert not relations(empty_database_url) & TABLES
    upgrade(empty_database_url)
    assert relations(empty_database_url) == there


def test_conversations_that_are_branches_already_become_one_chat(empty_database_url: str) -> None:
    upgrade(empty_database_url, "0051")
    statement = """
        INSERT INTO users (user_id) VALUES ('ada'), ('eve');
        INSERT INTO conversations
            (conversation_id, user_id, agent, mode, title, updated_at, branched_from, branched_at)
        SELECT ('00000000-0000-0000-0000-00000000000' || id)::uuid, user_id, 'general', 'active',
               title, now() + hours * interval '1 hour',
               ('00000000-0000-0000-0000-00000000000' || origin)::uuid, 0
        FROM (VALUES (1, 'ada', 'Old', 0, NULL), (2, 'ada', 'New', 2, 1), (3, 'ada', NULL, 1, 2),
                     (4, 'eve', 'Eve', 0, NULL)) AS chat (id, user_id, title, hours, origin)
    """
    read = """
        SELECT right(conversation_id::text, 1), right(chat_id::text, 1), title
        FROM conversations ORDER BY 1
    """
    with closing(psycopg2.connect(empty_database_url)) as connection:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
        upgrade(empty_database_url)
        with connection, connection.cursor() as cursor:
            cursor.execute(read)
            assert cursor.fetchall() == [
                ("1", "1", "New"), ("2", "1", "New"), ("3", "1", "New"), ("4", "4", "Eve"),
            ]  # fmt: skip


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


AFTER = """
from alembic import op

PHASE = "after"
revision = "{revision}"
down_revision = "{down}"


def upgrade() -> None:
    op.execute("DROP INDEX messages_rated")
"""


def test_what_the_version_before_needs_goes_last(empty_database_url: str, tmp_path: Path) -> None:
    newest = newest_revision()
    for name in ("shared", "pyproject.toml"):
        (tmp_path / name).symlink_to(FOLDER.parent / name)
    shutil.copytree(FOLDER, tmp_path / "migrations")
    (tmp_path / "migrations/versions/9999_last.py").write_text(
        AFTER.format(revision="9999", down=newest)
    )

    def run(*arguments: str) -> set[str]:
        command = [sys.executable, "-m", "migrations", *arguments]
        environment = os.environ | {"DATABASE_URL": empty_database_url}
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
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


def test_an_upgrade_to_an_older_revision_grants_what_there_is(empty_database_url: str) -> None:
    environment = os.environ | {
        "DATABASE_URL": as_application(empty_database_url),
        "MIGRATION_DATABASE_URL": empty_database_url,
    }
    for revision in ("0039", "head"):
        command = [sys.executable, "-m", "migrations", "upgrade", revision]
        subprocess.run(command, env=environment, check=True)
        assert ("file_passages" in relations(empty_database_url)) == (revision == "head")


@pytest.mark.parametrize(
    ("first", "second"), [("messages", "attachments"), ("conversations", "messages")]
)
def test_a_migration_gives_way_to_rounds(empty_database_url: str, first: str, second: str) -> None:
    """The round holds what the migration waits for, and needs what the migration may hold."""
    upgrade(empty_database_url, "0038")
    with closing(psycopg2.connect(empty_database_url)) as round_, ThreadPoolExecutor(1) as pool:
        cursor = round_.cursor()
        cursor.execute(f"LOCK TABLE {first} IN ROW EXCLUSIVE MODE")
        migrating = pool.submit(upgrade, empty_database_url)
        wait_for_blocked_statement(empty_database_url)
        cursor.execute(f"LOCK TABLE {second} IN ROW EXCLUSIVE MODE")
        round_.commit()
        migrating.result(60)
    assert schema.read_revision(empty_database_url) == newest_revision()


def test_a_lock_that_is_never_given_ends_the_migration_and_leaves_nothing_of_it(
    empty_database_url: str,
) -> None:
    upgrade(empty_database_url, "0038")
    there = relations(empty_database_url)
    with closing(psycopg2.connect(empty_database_url)) as holder:
        holder.cursor().execute("LOCK TABLE conversations IN ACCESS SHARE MODE")
        with pytest.raises(OperationalError, match="lock timeout"):
            upgrade(empty_database_url, patience_s=1)
    assert relations(empty_database_url) == there


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

"""`throughline restore`: all of a backup or nothing, while the site goes on."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg2
import pytest
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type

from migrations import downgrade, oldest_revision
from shared.db import execute, fetch_row
from shared.maintenance.backup.writing import write_backup
from shared.maintenance.site_check import check_site
from shared.services import Services as Product
from tests.integration.conversing import Conversing
from tests.integration.operator.conftest import WORDS, Run
from tests.integration.worker import count_rows, work_off
from tests.services import MakeSettings, Services, as_application, as_owner, owner_url
from tests.waiting import wait_for

SEQUENCE = "SELECT last_value FROM pg_sequences WHERE sequencename = 'fencing_tokens'"
IS_WAITING = """
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE '%DROP SCHEMA%' AND pid <> pg_backend_pid()
"""


@pytest.fixture
def empty_site(services: Services) -> Iterator[str]:
    with services.databases.copy() as url:
        yield url


@contextmanager
def owner_cursor(url: str) -> Iterator[Cursor]:
    """Each statement is a transaction of its own, until one begins one."""
    with closing(psycopg2.connect(owner_url(url))) as connection:
        connection.autocommit = True
        yield connection.cursor()


def has_rows(cursor: Cursor, statement: str) -> bool:
    cursor.execute(statement)
    return cursor.rowcount > 0


def change_manifest(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def believe(folder: Path) -> None:
    """Give the manifest the checksums of the files as they are now."""
    names = json.loads((folder / "manifest.json").read_text())["sha256"]
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    change_manifest(folder, sha256=digests)


def test_what_was_backed_up_comes_back_whole(
    run_at: Run, product: Product, backup_folder: Path, empty_site: str, make_settings: MakeSettings
) -> None:
    tmp_path = backup_folder.parents[1]
    key = (tmp_path / "original/secret-key").read_text()
    result = run_at("restore", str(backup_folder), url=empty_site)
    assert result.exit_code == 0, result.output
    restored = Product(make_settings(database_url=as_application(empty_site)))
    assert count_rows(restored) == count_rows(product)
    with as_owner(restored) as connection:
        count = execute(connection, "SELECT FROM messages WHERE content ~ 'heron-4711'")
        assert count >= 2
    assert sorted(path.name for path in (tmp_path / "restored").iterdir()) == [".env", "secret-key"]
    assert (tmp_path / "restored/secret-key").read_text() == key
    assert (tmp_path / "restored/.env").read_text() == "MISTRAL_API_KEY=sk-secret\n"
    assert (tmp_path / "restored/.env").stat().st_mode & 0o777 == 0o600
    Conversing(restored).round("And life goes on.")
    work_off(restored)
    restored.close()
    assert run_at("verify", url=empty_site).exit_code == 0


def test_a_backup_without_secrets_asks_for_no_passphrase_and_says_so(
    run_at: Run, backup_folder: Path, empty_site: str
) -> None:
    """As schedules make them where BACKUP_PASSPHRASE is not set."""
    (backup_folder / "secrets.json").unlink()
    digests = json.loads((backup_folder / "manifest.json").read_text())["sha256"]
    change_manifest(backup_folder, sha256={"database.dump": digests["database.dump"]})
    result = run_at("restore", str(backup_folder), url=empty_site, passphrase="")
    assert (result.exit_code, "The backup has no secrets" in result.output) == (0, True)


def test_a_backup_of_an_older_version_is_migrated(
    run_at: Run, product: Product, services: Services, make_settings: MakeSettings, tmp_path: Path
) -> None:
    with services.databases.copy() as old, services.databases.copy() as empty:
        downgrade(old, oldest_revision())
        older = make_settings(database_url=as_application(old), migration_database_url=old)
        folder = write_backup(older, tmp_path, "", datetime.now(UTC)).folder
        result = run_at("restore", str(folder), url=empty)
        assert result.exit_code == 0, result.output
        assert run_at("migrate", url=empty).exit_code == 0
        restored = Product(make_settings(database_url=as_application(empty)))
        Conversing(restored).round("And life goes on.")
        restored.close()


@pytest.mark.changes_schema
def test_a_site_in_use_is_replaced_only_when_told_and_its_open_connections_go_on(
    run_at: Run, backup_folder: Path, product: Product
) -> None:
    before = count_rows(product)
    later = Conversing(product)
    later.round("This was said after the backup.")
    check_site(product.settings)  # after the backup, which knows no id
    with as_owner(product) as connection:
        tokens = fetch_row(connection, SEQUENCE)
    refused = run_at("restore", str(backup_folder))
    assert (refused.exit_code, "--replace" in refused.output) == (2, True)
    assert "1 users, 4 chats, 8 messages" in refused.output
    assert count_rows(product) != before
    result = run_at("restore", str(backup_folder), "--replace")
    assert result.exit_code == 0, result.output
    assert count_rows(product) == before
    assert later.conversation_id
    assert product.short_term.list_turns(later.conversation_id) == []
    with as_owner(product) as connection:
        assert fetch_row(connection, SEQUENCE) == tokens  # no fencing token comes twice
    check_site(product.settings)  # it is the same site for its Redis
    Conversing(product).round("And life goes on.")
    work_off(product)
    assert run_at("verify").exit_code == 0
    again = run_at("backup", str(backup_folder.parent), "--json")
    folder = json.loads(again.stdout)["folder"]
    assert run_at("restore", folder, "--replace").exit_code == 0


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def overwrite(content: bytes, place: float) -> bytes:
    start = int(len(content) * place)
    return content[:start] + bytes(64) + content[start + 64 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "no dump": lambda content: b"DROP SCHEMA public CASCADE;\n",
    "beginning": lambda content: overwrite(content, 0.0),
    "list of contents": lambda content: overwrite(content, 0.1),
    "middle": lambda content: overwrite(content, 0.7),
    "end": lambda content: content[:-70] + bytes(70),
    "half": cut,
    "last byte": lambda content: content[:-1],
}


@pytest.mark.parametrize("has_checksum", [True, False], ids=["told", "with a fitting checksum"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_dump_changes_nothing(
    run_at: Run,
    backup_folder: Path,
    product: Product,
    damage: Callable[[bytes], bytes],
    has_checksum: bool,
) -> None:
    """The fixture of the database checks that its schema, rights and roles are the same."""
    dump = backup_folder / "database.dump"
    dump.write_bytes(damage(dump.read_bytes()))
    if not has_checksum:
        believe(backup_folder)
    before = count_rows(product)
    result = run_at("restore", str(backup_folder), "--replace")
    assert (result.exit_code, type(result.exception)) == (2, SystemExit), result.output
    assert result.output.count("\n") == 1
    assert count_rows(product) == before
    assert not list((backup_folder.parents[1] / "original").glob("*.restored"))
    Conversing(product).round("And life goes on.")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"schema_revision": "9999"}, "of a newer version"),
        ({"embedding_model": "another"}, "set EMBEDDING_MODEL"),
        ({"format": 99}, "of another version"),
        ({"database_bytes": 2**62}, "bytes free, a restore needs"),
        ({"rows": {"messages": 7}}, "not as many as the backup says: messages"),
        ({"rows": {"dragons": 1}}, "not as many as the backup says: dragons"),
    ],
)
def test_a_backup_that_does_not_fit_changes_nothing(
    run_at: Run,
    backup_folder: Path,
    product: Product,
    changes: dict[str, object],
    reason: str,
) -> None:
    change_manifest(backup_folder, **changes)
    before = count_rows(product)
    result = run_at("restore", str(backup_folder), "--replace")
    assert (result.exit_code, reason in result.output) == (2, True), result.output
    assert "Nothing was changed." in result.output
    assert count_rows(product) == before


def test_another_passphrase_changes_nothing(
    run_at: Run, backup_folder: Path, product: Product
) -> None:
    before = count_rows(product)
    result = run_at("restore", str(backup_folder), "--replace", passphrase="another")
    assert (result.exit_code, "passphrase is another one" in result.output) == (2, True)
    assert count_rows(product) == before


def test_tables_of_another_program_are_not_dropped(
    run_at: Run, backup_folder: Path, empty_site: str
) -> None:
    with owner_cursor(empty_site) as cursor:
        cursor.execute("CREATE TABLE invoices (number int)")
    result = run_at("restore", str(backup_folder), url=empty_site)
    assert (result.exit_code, "another program, which would go: invoices" in result.output) == (
        2,
        True,
    )
    assert run_at("verify", url=empty_site).exit_code == 0


def test_an_extension_of_another_role_is_told_before_anything_changes(
    run_at: Run, backup_folder: Path, empty_site: str
) -> None:
    database = psycopg2.extensions.parse_dsn(empty_site)["dbname"]
    with owner_cursor(empty_site) as cursor:
        cursor.execute("CREATE ROLE plain_owner LOGIN BYPASSRLS IN ROLE pg_read_all_data")
        plain = empty_site.replace("//throughline@", "//plain_owner@")
        cursor.execute(f"GRANT CONNECT ON DATABASE {database} TO plain_owner")
        result = run_at("restore", str(backup_folder), url=plain)
        cursor.execute("DROP OWNED BY plain_owner; DROP ROLE plain_owner")
    assert (result.exit_code, "vector belongs to another role" in result.output) == (2, True), (
        result.output
    )


def begin_restore(product: Product, folder: Path) -> subprocess.Popen[bytes]:
    data_dir = folder.parents[1] / "original"
    environment = os.environ | {
        "DATABASE_URL": product.settings.database_url,
        "MIGRATION_DATABASE_URL": owner_url(product.settings.database_url),
        "REDIS_URL": product.settings.redis_url,
        "DATA_DIR": str(data_dir),
        "BACKUP_PASSPHRASE": WORDS,
    }
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [sys.executable, "-m", "throughline", "restore", str(folder), "--replace"],
        env=environment | {"PYTHONPATH": str(root)},
        cwd=data_dir,
    )


@pytest.mark.changes_schema
def test_a_restore_that_is_killed_changes_nothing_and_the_next_one_succeeds(
    run_at: Run, backup_folder: Path, product: Product
) -> None:
    """The restore is done but for the end, at which a transaction of the site holds a table."""
    before = count_rows(product)
    url = product.settings.database_url
    with owner_cursor(url) as reader, owner_cursor(url) as watcher:
        reader.execute("BEGIN")
        reader.execute("SELECT FROM messages")
        process = begin_restore(product, backup_folder)
        wait_for(lambda: has_rows(watcher, IS_WAITING))
        Conversing(product).round("The site goes on meanwhile.")
        assert "under way" in run_at("restore", str(backup_folder), "--replace").output
        process.kill()
        process.wait()
    assert count_rows(product)["messages"] == before["messages"] + 2
    wait_for(lambda: run_at("restore", str(backup_folder), "--replace").exit_code == 0)
    assert count_rows(product) == before

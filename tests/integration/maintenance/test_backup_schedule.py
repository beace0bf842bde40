"""Backups by schedule: made, read back, thinned out, and never two at once."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from shared.maintenance.backup import postgres_tools
from shared.maintenance.backup.backup_faults import BackupError
from shared.maintenance.backup.folder import DUMP, SECRETS, list_names, read_manifest
from shared.maintenance.backup.schedule import back_up
from shared.maintenance.backup.sealing import unseal
from shared.maintenance.backup.writing import lock_backups
from shared.services import Services
from shared.store.upkeep import backups
from shared.store.upkeep.backups import FailedBackup, MadeBackup
from supervisor.embedded.postgres import USER
from tests.integration.conversing import Conversing
from tests.integration.worker import run_sql
from tests.services import MakeSettings, as_owner, owner_url
from tests.waiting import wait_for

MakeProduct = Callable[..., Services]
WORDS = "seven grey geese"

pytestmark = pytest.mark.usefixtures("quick_seals")


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


@pytest.fixture
def make_product(
    make_settings: MakeSettings, parent: Path, tmp_path: Path
) -> Iterator[MakeProduct]:
    """A site with backups by schedule, as the process that makes them knows it."""
    products: list[Services] = []

    def make(**overrides: object) -> Services:
        site: dict[str, object] = {
            "migration_database_url": owner_url(make_settings().database_url),
            "data_dir": tmp_path,
            "backup_folder": parent,
            "backup_passphrase": WORDS,
        }
        products.append(Services(make_settings(**(site | overrides))))
        return products[-1]

    yield make
    for product in products:
        product.close()


@pytest.fixture
def site(make_product: MakeProduct) -> Services:
    return make_product()


def find_last(site: Services) -> tuple[MadeBackup | None, FailedBackup | None]:
    with site.database.upkeep() as connection:
        return backups.find_last(connection)


def age(parent: Path, *days: int) -> list[str]:
    """Give the newest backup the names of earlier days, one copy for each but the first."""
    [name] = list_names(parent)
    names = [f"throughline-202601{day:02d}-030000" for day in days]
    for other in names[1:]:
        shutil.copytree(parent / name, parent / other)
    (parent / name).rename(parent / names[0])
    return sorted(names)


def test_a_backup_is_made_and_noted_once_a_day(site: Services, parent: Path) -> None:
    Conversing(site).round("I live in Oslo.")
    back_up(site)
    [name] = list_names(parent)
    manifest = read_manifest(parent / name)
    assert manifest.rows["messages"] == 2
    assert unseal(parent / name / SECRETS, WORDS).secret_key
    backup, failed = find_last(site)
    assert backup is not None
    assert backup.byte_count == sum(path.stat().st_size for path in (parent / name).iterdir())
    assert (backup.has_secrets, failed) == (True, None)
    back_up(site)
    assert list_names(parent) == [name]


def test_without_a_folder_nothing_is_made(make_product: MakeProduct, parent: Path) -> None:
    site = make_product(backup_folder=None)
    back_up(site)
    assert (list(parent.iterdir()), find_last(site)) == ([], (None, None))


def test_without_a_passphrase_the_secrets_are_left_out(
    make_product: MakeProduct, parent: Path
) -> None:
    site = make_product(backup_passphrase="")
    back_up(site)
    [name] = list_names(parent)
    assert not (parent / name / SECRETS).exists()
    backup, _ = find_last(site)
    assert backup is not None
    assert not backup.has_secrets


def test_the_newest_stay_and_what_was_broken_off_goes(
    make_product: MakeProduct, parent: Path
) -> None:
    site = make_product(backup_keep=2)
    back_up(site)
    earlier = age(parent, 3, 1, 2)
    (parent / "throughline-20260104-030000.partial").mkdir()
    (parent / "throughline-notes").mkdir()
    back_up(site)
    names = list_names(parent)
    assert (len(names), names[0]) == (2, earlier[-1])
    assert {path.name for path in parent.iterdir()} == {*names, "throughline-notes"}


def test_a_missing_folder_is_told_and_tried_again_after_an_hour(
    make_product: MakeProduct, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site = make_product(backup_folder=tmp_path / "unmounted")
    for _ in range(2):
        back_up(site)
    _, failed = find_last(site)
    assert failed is not None
    assert failed.reason == "no_folder"
    assert logged(caplog) == [("backup.failed", "no_folder")]
    run_sql(site, "UPDATE backups SET ended_at = now() - interval '61 min'")
    back_up(site)
    assert len(logged(caplog)) == 2


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [
        (record.message, record.__dict__["reason"])
        for record in caplog.records
        if record.message.startswith("backup.") and record.levelno == logging.ERROR
    ]


@pytest.fixture
def small_disk(parent: Path) -> Iterator[Path]:
    """A disk with room for less than a dump."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    words = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(parent)]
    if subprocess.run(words, check=False, capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        yield parent
    finally:
        subprocess.run(["umount", str(parent)], check=True)


def test_a_disk_with_too_little_room_is_not_filled(site: Services, small_disk: Path) -> None:
    back_up(site)
    _, failed = find_last(site)
    assert failed is not None
    assert failed.reason == "no_room"
    with as_owner(site) as connection:
        assert shutil.disk_usage(small_disk).total < backups.count_bytes(connection)


def test_a_disk_that_becomes_full_leaves_the_earlier_ones(site: Services, small_disk: Path) -> None:
    earlier = small_disk / "throughline-20260101-030000"
    earlier.mkdir()
    (earlier / "manifest.json").write_text("{}")
    back_up(site)
    _, failed = find_last(site)
    assert failed is not None
    assert failed.reason == "no_room"
    assert list(small_disk.iterdir()) == [earlier]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose programs are found before those of Postgres."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "pg_dump").symlink_to(postgres_tools.find_tool("pg_dump"))
    monkeypatch.setattr(postgres_tools, "EMBEDDED", "not_installed")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return folder


def write_program(path: Path, *lines: str) -> None:
    path.unlink(missing_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


def test_one_that_is_not_whole_replaces_none(
    make_product: MakeProduct, parent: Path, programs: Path
) -> None:
    site = make_product(backup_keep=1)
    write_program(programs / "pg_restore", "exit 0")
    back_up(site)
    earlier = age(parent, 1)
    refusal = "echo 'pg_restore: error: could not read' >&2"
    write_program(programs / "pg_restore", refusal, "exit 1")
    back_up(site)
    _, failed = find_last(site)
    assert failed is not None
    assert failed.reason == "not_whole"
    assert [path.name for path in parent.iterdir()] == earlier


def test_a_dump_that_is_cut_short_is_not_whole(site: Services, parent: Path) -> None:
    back_up(site)
    dump = parent / list_names(parent)[0] / DUMP
    postgres_tools.read_through(dump)
    with dump.open("r+b") as file:
        file.truncate(dump.stat().st_size * 2 // 3)
    with pytest.raises(BackupError) as raised:
        postgres_tools.read_through(dump)
    assert raised.value.reason == "not_whole"


def test_a_worker_that_has_to_stop_leaves_nothing_and_does_not_call_it_a_failure(
    site: Services, parent: Path, programs: Path
) -> None:
    write_program(programs / "pg_dump", "exec sleep 600")

    def is_over() -> bool:
        postgres_tools.interrupt()  # again and again: the program may not have begun
        return backup.done()

    with ThreadPoolExecutor(1) as threads:
        backup = threads.submit(back_up, site)
        wait_for(is_over)
    backup.result()
    assert (list(parent.iterdir()), find_last(site)) == ([], (None, None))


def test_a_role_that_does_not_see_all_rows_makes_none(
    make_product: MakeProduct, make_settings: MakeSettings, parent: Path
) -> None:
    site = make_product(migration_database_url=make_settings().database_url)
    back_up(site)
    _, failed = find_last(site)
    assert failed is not None
    assert failed.reason == "no_right"
    assert list(parent.iterdir()) == []


@pytest.mark.changes_schema
def test_a_role_that_sees_all_rows_need_not_be_a_superuser(
    make_product: MakeProduct, make_settings: MakeSettings, parent: Path
) -> None:
    """As of a Postgres that somebody else runs."""
    owner = owner_url(make_settings().database_url)
    site = make_product(migration_database_url=owner.replace(f"//{USER}@", "//dumper@"))
    run_sql(site, "CREATE ROLE dumper LOGIN BYPASSRLS IN ROLE pg_read_all_data")
    run_sql(site, f"GRANT CONNECT ON DATABASE {urlsplit(owner).path[1:]} TO dumper")
    try:
        back_up(site)
    finally:
        run_sql(site, "DROP OWNED BY dumper")
        run_sql(site, "DROP ROLE dumper")
    assert len(list_names(parent)) == 1


def test_two_at_once_make_one(site: Services, parent: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: back_up(site), range(4)))
    assert len(list_names(parent)) == 1
    assert find_last(site)[1] is None


def test_while_somebody_else_makes_one_it_waits_for_the_next_call(
    site: Services, parent: Path
) -> None:
    with lock_backups(site.settings):
        back_up(site)
    assert (list(parent.iterdir()), find_last(site)) == ([], (None, None))
    back_up(site)
    assert len(list_names(parent)) == 1


def test_a_dump_is_its_owners_alone(site: Services, parent: Path) -> None:
    back_up(site)
    [name] = list_names(parent)
    assert (parent / name).stat().st_mode & 0o777 == 0o700
    assert (parent / name / DUMP).stat().st_mode & 0o777 == 0o600

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg2
import pytest

from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.occupants import wait_until_free
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.service import start, stop
from tests.integration.supervisor.embedded.conftest import Folders


def query(url: str, statement: str) -> list[tuple[Any, ...]]:
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def started(postgres: Postgres, folders: Folders) -> Iterator[subprocess.Popen[bytes]]:
    process = start(postgres, folders.log)
    try:
        yield process
    finally:
        stop(postgres, process)


def test_a_new_cluster_has_our_database_with_checksums_and_vectors(
    postgres: Postgres, folders: Folders
) -> None:
    with started(postgres, folders):
        assert query(postgres.url, "SHOW data_checksums") == [("on",)]
        assert query(postgres.url, "SHOW server_encoding") == [("UTF8",)]
        assert query(postgres.url, "SHOW fsync") == [("on",)]
        query(postgres.url, "CREATE EXTENSION vector")
        assert query(postgres.url, "SELECT upper('ćevapi')") == [("ĆEVAPI",)]


def test_it_is_private_to_its_account(postgres: Postgres, folders: Folders) -> None:
    with started(postgres, folders):
        assert query(postgres.url, "SHOW listen_addresses") == [("",)]
    for folder in (postgres.data_folder, folders.sockets):
        status = folder.stat()
        assert (status.st_mode & 0o777, status.st_uid) == (0o700, folders.owner.uid)


def test_acknowledged_rows_survive_kill_9(postgres: Postgres, folders: Folders) -> None:
    with started(postgres, folders) as process:
        query(postgres.url, "CREATE TABLE said AS SELECT generate_series(1, 1000) AS n")
        process.kill()
        process.wait()
        with started(
            postgres, folders
        ):  # at once, while the helpers of the killed server still run
            assert query(postgres.url, "SELECT count(*) FROM said") == [(1000,)]


def test_a_process_id_that_a_stranger_has_by_now_does_not_stop_a_start(
    postgres: Postgres, folders: Folders
) -> None:
    postgres.prepare()
    left_behind = postgres.data_folder / "postmaster.pid"
    stranger = subprocess.Popen(["sleep", "60"], **folders.owner.identity)
    left_behind.write_text(f"{stranger.pid}\n{postgres.data_folder}\n1\n5432\n\n\n")
    try:
        with started(postgres, folders):
            assert query(postgres.url, "SELECT 1") == [(1,)]
    finally:
        stranger.kill()
        stranger.wait()


def test_a_cluster_that_was_half_made_is_made_again(postgres: Postgres, folders: Folders) -> None:
    half = folders.data / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    with started(postgres, folders):
        assert query(postgres.url, "SELECT 1") == [(1,)]
    assert not half.exists()


def test_ready_means_the_server_of_this_folder(postgres: Postgres, folders: Folders) -> None:
    another = Postgres(folders.data / "another", folders.sockets, folders.owner)
    with started(postgres, folders):
        another.prepare()
        (another.data_folder / "postmaster.pid").write_text("1\nready\n")
        assert postgres.is_ready()
        assert not another.is_ready()


def test_a_folder_in_use_is_told_with_the_process(postgres: Postgres, folders: Folders) -> None:
    with started(postgres, folders) as process:
        with pytest.raises(EmbeddedServiceError, match=str(process.pid)):
            wait_until_free(postgres.data_folder, limit_s=0.1)
        assert query(postgres.url, "SELECT 1") == [(1,)]


def test_data_of_another_version_are_left_alone(postgres: Postgres, folders: Folders) -> None:
    folders.owner.make_private_folder(postgres.data_folder)
    (postgres.data_folder / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedServiceError, match="written by Postgres 16"):
        start(postgres, folders.log)


def test_a_server_that_cannot_start_is_told_at_once(postgres: Postgres, folders: Folders) -> None:
    postgres.prepare()
    (postgres.data_folder / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedServiceError, match="postgres ended with 1"):
        start(postgres, folders.log)
    assert "no_such_setting" in folders.log.read_text()


def test_stopping_cuts_connections_and_is_clean(postgres: Postgres, folders: Folders) -> None:
    process = start(postgres, folders.log)
    with closing(psycopg2.connect(postgres.url)):
        stop(postgres, process, limit_s=30)
    assert process.returncode == 0
    assert not postgres.is_ready()


def test_a_server_that_does_not_stop_is_killed(postgres: Postgres, folders: Folders) -> None:
    process = start(postgres, folders.log)
    os.kill(process.pid, signal.SIGSTOP)
    stop(postgres, process, limit_s=0.2)
    assert process.returncode == -signal.SIGKILL

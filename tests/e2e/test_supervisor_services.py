"""With the embedded services, and without a supervisor that could clean up."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import APP_USER, USER
from supervisor.orphans import end_orphans
from supervisor.pid_files import PidFiles
from supervisor.process_identity import find_identity
from tests.e2e.supervised import (
    NO_SERVICES,
    ONLY_ROOT,
    WEB,
    Supervised,
    leave_as_root_did,
    supervised,
    uids_below,
    wait_until_gone,
)
from tests.services import private_folder
from tests.waiting import wait_for

READY = "ready to accept connections"
SHOW_URLS = "worker: sh -c 'echo urls $DATABASE_URL $REDIS_URL; sleep 600'"
# It outlives its supervisor until a file allows it to end.
SLOW_TO_END = (
    "beat: sh -c \"trap '[ -e may-end ] && exit' TERM; sleep 600 & echo slow;"
    ' while :; do wait; done"'
)


@pytest.fixture(scope="module")
def running() -> Iterator[Supervised]:
    """A supervisor with its services. Each test leaves it running, but for the last one."""
    with private_folder() as folder, supervised(folder, WEB, SHOW_URLS, SLOW_TO_END) as supervisor:
        leave_as_root_did(folder / ".data")
        supervisor.start()
        supervisor.wait_for("urls ")
        supervisor.wait_for("slow")
        yield supervisor
        (folder / "may-end").touch()


def as_owner(database_url: str) -> str:
    """These migrations make no role for the application."""
    return database_url.replace(f"//{APP_USER}@", f"//{USER}@")


def count_rows(url: str) -> int:
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM said")
        (count,) = cursor.fetchone() or (0,)
    return int(count)


@ONLY_ROOT
def test_started_by_root_services_and_processes_run_as_another_account(
    running: Supervised,
) -> None:
    """`test_supervised_site.py` shows it of the whole site."""
    data, owner = running.folder / ".data", find_owner()
    assert set().union(*map(uids_below, running.pids())) == {owner.uid}
    assert (data / "embeddings/old/file").stat().st_uid == owner.uid
    secret = (data / "secret-key").stat()
    assert (secret.st_uid, secret.st_mode & 0o777) == (0, 0o600)
    assert (running.folder.stat().st_mode & 0o777) == 0o711
    assert (data / "postgres/PG_VERSION").exists()


def test_services_come_up_first_and_back_after_kill_9(running: Supervised) -> None:
    database_url = as_owner(running.output.split("urls ")[1].split()[0])
    with closing(psycopg2.connect(database_url)) as connection, connection:
        connection.cursor().execute("CREATE TABLE said AS SELECT generate_series(1, 100)")
    starts = running.output.count(READY)
    for name in ("postgres", "valkey"):
        os.kill(running.pid_of(name), signal.SIGKILL)
        running.wait_for(f"{name} ended by SIGKILL")
    running.wait_for(READY, times=starts + 1)
    assert count_rows(database_url) == 100
    wait_for(lambda: len(running.pids()) == 5, explain=lambda: running.output)


def test_a_user_of_the_services_waits_until_they_are_back(running: Supervised) -> None:
    starts = running.output.count("urls ")
    os.kill(running.pid_of("worker"), signal.SIGKILL)
    os.kill(running.pid_of("postgres"), signal.SIGKILL)
    running.wait_for("urls ", times=starts + 1)
    assert running.output.rindex(READY) < running.output.rindex("urls ")


def test_after_kill_9_of_the_supervisor_the_next_start_takes_over(running: Supervised) -> None:
    """The last test of `running`, which it stops."""
    starts = running.output.count("urls ")
    old_pids, beat = running.pids(), running.pid_of("beat")
    running.started[-1].kill()
    running.started[-1].wait()
    if Path("/proc/self").exists():  # Linux ends a dead supervisor's children, or tries to
        wait_until_gone([pid for pid in old_pids if pid != beat])
    (running.folder / "may-end").touch()
    process = running.start()
    running.wait_for("urls ", times=starts + 1)
    assert "ending beat" in running.output
    assert not any(map(find_identity, old_pids))
    pids = running.pids()
    assert set(old_pids).isdisjoint(pids)
    # An ordered stop ends the services after their users.
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not any(map(find_identity, pids))
    stages = [
        running.output.rindex(f"stopping {name}") for name in ("worker", "valkey", "postgres")
    ]
    assert stages == sorted(stages)


def test_a_stranger_with_an_old_process_id_is_spared(tmp_path: Path) -> None:
    pid_files = PidFiles(tmp_path / "pids")
    stranger = subprocess.Popen(["sleep", "60"], process_group=0)
    pid_files.write("worker", stranger.pid, signal.SIGTERM)
    (path,) = (tmp_path / "pids").glob("*.json")
    path.write_text(path.read_text().replace('"identity": "', '"identity": "0'))
    try:
        end_orphans(pid_files, print, lambda: None)
        assert stranger.poll() is None
        assert pid_files.list_started() == []
    finally:
        stranger.kill()
        stranger.wait()


def test_the_orphans_of_a_dead_leader_are_ended(tmp_path: Path) -> None:
    pid_files = PidFiles(tmp_path / "pids")
    leader = subprocess.Popen(
        ["sh", "-c", "sleep 60 & echo $!; wait"], process_group=0, stdout=subprocess.PIPE
    )
    with leader:
        assert leader.stdout is not None
        orphan = int(leader.stdout.readline())
        pid_files.write("worker", leader.pid, signal.SIGTERM)
        leader.kill()
        leader.wait()
        assert find_identity(orphan) is not None
        end_orphans(pid_files, print, lambda: None)
        wait_until_gone([orphan])


def test_services_of_the_environment_are_used(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, SHOW_URLS) as supervisor:
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("urls postgresql://nowhere redis://nowhere")
        assert not (tmp_path / ".data/postgres").exists()


@ONLY_ROOT
def test_a_low_port_is_refused_by_its_name() -> None:
    with private_folder() as folder, supervised(folder, WEB) as supervisor:
        assert supervisor.start(**NO_SERVICES, PORT="80").wait(60) == 1
        assert f"PORT=80: the site runs as {find_owner().name}" in supervisor.output

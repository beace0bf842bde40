"""With the embedded services, and without a supervisor that could clean up."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import psycopg2
import pytest

from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import APP_USER, USER
from supervisor.orphans import end_orphans
from supervisor.pid_files import PidFiles
from supervisor.process_identity import find_identity
from tests.e2e.supervised import (
    NO_SERVICES,
    WEB,
    supervised,
    supervised_site,
    wait_until,
    wait_until_gone,
)
from tests.services import private_folder
from tests.waiting import wait_for

SHOW_URLS = "worker: sh -c 'echo urls $DATABASE_URL $REDIS_URL; sleep 600'"
EXPORT_S = 180  # for the embedding model's first form, on a busy machine
SLOW_TO_END = "beat: sh -c \"trap 'sleep 3; exit' TERM; echo slow; while :; do sleep 0.1; done\""


@pytest.fixture
def folder() -> Iterator[Path]:
    with private_folder() as folder:
        yield folder


def as_owner(database_url: str) -> str:
    """These migrations make no role for the application."""
    return database_url.replace(f"//{APP_USER}@", f"//{USER}@")


def count_rows(url: str) -> int:
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM said")
        (count,) = cursor.fetchone() or (0,)
    return int(count)


def test_services_come_up_first_and_back_after_kill_9(folder: Path) -> None:
    with supervised(folder, WEB, SHOW_URLS) as supervisor:
        process = supervisor.start()
        supervisor.wait_for("urls ")
        database_url = as_owner(supervisor.said.split("urls ")[1].split()[0])
        with closing(psycopg2.connect(database_url)) as connection, connection:
            connection.cursor().execute("CREATE TABLE said AS SELECT generate_series(1, 100)")
        for name in ("postgres", "valkey"):
            before = supervisor.pid_of(name)
            os.kill(before, signal.SIGKILL)
            supervisor.wait_for(f"{name} ended by SIGKILL")
        supervisor.wait_for("ready to accept connections", times=2)
        assert count_rows(database_url) == 100
        wait_until(lambda: len(supervisor.pids()) == 4, lambda: "all four again")
        pids = supervisor.pids()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert not any(map(find_identity, pids))
        assert supervisor.said.index("stopping valkey") < supervisor.said.index("stopping postgres")


def test_a_user_of_the_services_waits_until_they_are_back(folder: Path) -> None:
    with supervised(folder, WEB, SHOW_URLS) as supervisor:
        supervisor.start()
        supervisor.wait_for("urls ")
        os.kill(supervisor.pid_of("worker"), signal.SIGKILL)
        os.kill(supervisor.pid_of("postgres"), signal.SIGKILL)
        supervisor.wait_for("urls ", times=2)
        ready_again = supervisor.said.rindex("ready to accept connections")
        assert ready_again < supervisor.said.rindex("urls ")


def test_after_kill_9_of_the_supervisor_the_next_start_takes_over(folder: Path) -> None:
    with supervised(folder, WEB, SHOW_URLS, SLOW_TO_END) as supervisor:
        killed = supervisor.start()
        supervisor.wait_for("slow")
        supervisor.wait_for("urls ")
        old_pids = supervisor.pids()
        killed.kill()
        killed.wait()
        supervisor.start()
        supervisor.wait_for("urls ", times=2)
        assert "ending beat" in supervisor.said
        assert not any(map(find_identity, old_pids))
        assert set(old_pids).isdisjoint(supervisor.pids())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the kernel does it on Linux only")
def test_children_end_with_a_killed_supervisor(folder: Path) -> None:
    with supervised(folder, WEB, SHOW_URLS) as supervisor:
        killed = supervisor.start()
        supervisor.wait_for("urls ")
        pids = supervisor.pids()
        killed.kill()
        killed.wait()
        wait_until_gone(pids)


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


def uids_below(pid: int) -> set[int]:
    """Of the process and all that it has started."""
    stat = Path(f"/proc/{pid}").stat()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {stat.st_uid}.union(*(uids_below(int(child)) for child in children))


only_root = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/proc/self").exists(),
    reason="only root has other accounts to run the site as",
)


@only_root
@pytest.mark.parametrize("is_closed", [False, True])
def test_started_by_root_the_site_runs_as_another_account(folder: Path, is_closed: bool) -> None:
    """Also where the project lies in a folder of root's that nobody else may enter."""
    project = folder / "closed" / "project"
    project.mkdir(parents=True)
    for path in (project, project.parent, folder):
        path.chmod(0o711)
    if is_closed:
        project.parent.chmod(0o700)
    leave_as_root_did(project / ".data")
    with supervised_site(project) as supervisor:
        supervisor.start()
        supervisor.wait_for("Ctrl-C stops everything in order.")
        wait_until(lambda: len(supervisor.pids()) == 7, lambda: "all processes")
        wait_for(lambda: "encoder.loaded" in supervisor.said, EXPORT_S, lambda: supervisor.said)
        uids = set().union(*map(uids_below, supervisor.pids()))
        assert uids == {find_owner().uid}
        assert (project / ".data/embeddings/old/file").stat().st_uid == find_owner().uid
        page = f"http://127.0.0.1:{supervisor.environment['PORT']}"
        answer = httpx.post(f"{page}/chat", json={"message": "My name is Alexander."}, timeout=60)
        assert answer.status_code == 200
        assert "PermissionError" not in supervisor.said
    secret = (project / ".data/secret-key").stat()
    assert (secret.st_uid, secret.st_mode & 0o777) == (0, 0o600)
    assert (project.parent.stat().st_mode & 0o777) == (0o700 if is_closed else 0o711)
    assert (project / ".data/postgres/PG_VERSION").exists()


def leave_as_root_did(data: Path) -> None:
    """What an earlier version, which ran everything as root, has left in DATA_DIR."""
    (data / "embeddings/old").mkdir(parents=True)
    data.chmod(0o711)
    (data / "embeddings/old/file").write_text("x")
    (data / "embeddings/.lock").write_text("")


@only_root
def test_a_low_port_is_refused_by_its_name(folder: Path) -> None:
    with supervised(folder, WEB) as supervisor:
        assert supervisor.start(**NO_SERVICES, PORT="80").wait(60) == 1
        assert f"PORT=80: the site runs as {find_owner().name}" in supervisor.said

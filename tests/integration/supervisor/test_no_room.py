"""A supervisor that cannot write in its data folder."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from supervisor.child import Child
from supervisor.embedded.owner import present_account
from supervisor.launch_plan import Program
from supervisor.orphans import end_orphans
from supervisor.output import Output
from supervisor.pid_files import PidFiles
from tests.small_disk import SmallDisk, small_disk
from tests.waiting import wait_for

Break = Callable[[SmallDisk], None]
FAULTS = {
    "no bytes": (SmallDisk.fill, SmallDisk.clear),
    "no inodes": (SmallDisk.use_up_inodes, SmallDisk.clear),
    "read-only": (
        lambda disk: disk.set_read_only(is_read_only=True),
        lambda disk: disk.set_read_only(is_read_only=False),
    ),
}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", "size=1m", "nr_inodes=50") as disk:
        yield disk


@contextmanager
def sleeping(disk: SmallDisk) -> Iterator[Child]:
    program = Program("worker", "sleep 600", dict(os.environ), present_account())
    output = Output()
    child = Child(program, output, PidFiles(disk.folder / "pids"))
    try:
        yield child
    finally:
        child.ask_to_stop(limit_s=0)
        child.kill_if_late()
        wait_for(lambda: has_ended(child))
        output.drain()


def has_ended(child: Child) -> bool:
    child.note_end()
    return not child.is_running


@pytest.mark.parametrize(("damage", "repair"), FAULTS.values(), ids=FAULTS)
def test_a_process_runs_without_its_pid_file_until_there_is_room(
    disk: SmallDisk, capsys: pytest.CaptureFixture[str], damage: Break, repair: Break
) -> None:
    pids = disk.folder / "pids"
    with sleeping(disk) as child:
        damage(disk)
        for _ in range(3):
            child.advance(may_start=True)
        assert child.is_running
        assert list(pids.glob("*.json")) == []
        assert capsys.readouterr().out.count("goes on without a pid file") == 1
        repair(disk)
        child.advance(may_start=True)
        assert [path.name for path in pids.glob("*.json")] == ["worker.json"]


def test_the_end_of_a_process_is_noted_where_nothing_can_be_removed(disk: SmallDisk) -> None:
    with sleeping(disk) as child:
        child.advance(may_start=True)
        (pid,) = (process.pid for process in PidFiles(disk.folder / "pids").list_started())
        disk.set_read_only(is_read_only=True)
        os.killpg(pid, signal.SIGKILL)
        wait_for(lambda: has_ended(child))
        assert child.failure_count == 1
        disk.set_read_only(is_read_only=False)
    pid_files = PidFiles(disk.folder / "pids")
    end_orphans(pid_files, print, lambda: None)  # the file that stayed names nobody
    assert pid_files.list_started() == []


def test_output_to_a_full_disk_is_lost_only_until_there_is_room(disk: SmallDisk) -> None:
    path = disk.folder / "log"
    descriptor = os.dup(1)
    with path.open("w") as log:
        os.dup2(log.fileno(), 1)
    try:
        with pytest.MonkeyPatch.context() as patch, open(1, "w", closefd=False) as stdout:
            patch.setattr("sys.stdout", stdout)
            output = Output()
            output.say("before")
            disk.fill()
            for _ in range(1000):
                output.say("lost " + "x" * 100)
            disk.clear()
            output.say("after")
    finally:
        os.dup2(descriptor, 1)
        os.close(descriptor)
    assert "before" in path.read_text()
    assert "after" in path.read_text()

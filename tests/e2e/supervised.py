"""A supervisor with trivial processes, in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from supervisor.process_identity import find_identity
from tests.e2e.site import free_port
from tests.waiting import wait_for

PROJECT = Path(__file__).parents[2]
STOP_S = 90.0  # each process may take as long as it is given; a busy machine adds to it

# Nothing connects to them: the processes are trivial, and so are these migrations.
NO_SERVICES = {"DATABASE_URL": "postgresql://nowhere", "REDIS_URL": "redis://nowhere"}
ONLY_ROOT = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/proc/self").exists(),
    reason="only root has other accounts to run the site as",
)
WEB = "web: python -m http.server --bind 127.0.0.1 $PORT"


class Supervised:
    """`folder` has its Procfile, its data and its output."""

    def __init__(self, folder: Path, procfile: str) -> None:
        self.folder = folder
        self.said_path = folder / "said"
        self.environment = {
            "PORT": str(free_port()),
            "FLOWER_PORT": str(free_port()),
            "LOCAL_TOKEN": "off",
            "MEMORY_TRUST": "always",
        }
        (folder / "Procfile").write_text(procfile)
        (folder / "migrations.py").write_text("print('migrated')")
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start it, with what the processes print in its output."""
        return self._start(["--logs"], environment)

    def start_quietly(self, **environment: str) -> subprocess.Popen[bytes]:
        return self._start([], environment)

    def _start(self, arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with self.said_path.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "supervisor", *arguments],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(PROJECT)} | self.environment | environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.started.append(process)
        return process

    @property
    def output(self) -> str:
        return self.said_path.read_text()

    def wait_for(self, text: str, *, times: int = 1) -> None:
        wait_for(
            lambda: self.output.count(text) >= times, explain=lambda: f"{text!r} in:\n{self.output}"
        )

    def pid_of(self, name: str) -> int:
        return int(json.loads((self.folder / f".data/pids/{name}.json").read_text())["pid"])

    def pids(self) -> list[int]:
        """Of those that run. Files come and go meanwhile."""
        pids = []
        for path in self.folder.glob(".data/pids/*.json"):
            with suppress(FileNotFoundError):
                pids.append(self.pid_of(path.stem))
        return pids

    def kill(self, name: str) -> None:
        """With SIGKILL, until that is noted: it may just have ended by itself, to start again."""
        end = f"{name} ended by SIGKILL"
        times, killed = self.output.count(end), set[int]()

        def is_noted() -> bool:
            with suppress(FileNotFoundError, ProcessLookupError):
                pid = self.pid_of(name)
                if pid not in killed and find_identity(pid):
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            return self.output.count(end) > times

        wait_for(is_noted, explain=lambda: f"{end!r} in:\n{self.output}")

    def stop(self) -> None:
        for process in self.started:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_S)
            process.kill()
            process.wait()


@contextmanager
def supervised_site(folder: Path) -> Iterator[Supervised]:
    """The project's own processes and migrations, with the files that they need."""
    with supervised(folder, (PROJECT / "Procfile").read_text()) as supervisor:
        (folder / "migrations.py").unlink()
        (folder / "web").symlink_to(PROJECT / "web")
        yield supervisor


@contextmanager
def supervised(folder: Path, *lines: str) -> Iterator[Supervised]:
    supervisor = Supervised(folder, "\n".join(lines))
    try:
        yield supervisor
    finally:
        supervisor.stop()


def wait_until_gone(pids: list[int]) -> None:
    wait_for(lambda: not any(map(find_identity, pids)), explain=lambda: f"the end of {pids}")


def uids_below(pid: int) -> set[int]:
    """Of the process and all that it has started. Some end meanwhile, as those of Postgres do."""
    uids = set()
    for descendant in pids_below(pid):
        with suppress(FileNotFoundError):
            uids.add(Path(f"/proc/{descendant}").stat().st_uid)
    return uids


def pids_below(pid: int) -> list[int]:
    """The process and all that it has started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        children = []
    return [pid, *(descendant for child in children for descendant in pids_below(int(child)))]


def leave_as_root_did(data: Path) -> None:
    """What an earlier version, which ran everything as root, has left in DATA_DIR."""
    (data / "embeddings/old").mkdir(parents=True)
    data.chmod(0o711)
    (data / "embeddings/old/file").write_text("x")
    (data / "embeddings/.lock").write_text("")

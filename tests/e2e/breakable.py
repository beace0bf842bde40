"""A Postgres and a Valkey of a test's own, that it may stop, kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from migrations import upgrade
from migrations.roles import grant_application
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import APP_USER, Postgres
from supervisor.embedded.runnable import Runnable
from supervisor.embedded.service import start, stop
from supervisor.embedded.valkey import Valkey
from tests.databases import Databases
from tests.services import private_folder
from tests.small_disk import SmallDisk, small_disk


@dataclass
class Breakable:
    """One service and its process."""

    service: Runnable
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = start(self.service, self.log)

    def stop(self) -> None:
        if self.process is not None:
            stop(self.service, self.process)
            self.process = None

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """While the block runs, no process of the service does anything. Its kernel still does."""
        assert self.process is not None
        pids = [self.process.pid, *_children(self.process.pid)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@dataclass
class BreakableServices:
    postgres: Breakable
    valkey: Breakable
    environment: dict[str, str]
    disk: SmallDisk | None


@contextmanager
def breakable_services(*disk: str) -> Iterator[BreakableServices]:
    """With options of `small_disk` both have their data on one."""
    with private_folder() as folder, ExitStack() as stack:
        small = stack.enter_context(small_disk(folder, *disk)) if disk else None
        owner = find_owner()
        data, sockets = make_data_folder(folder, owner), make_socket_folder(folder, owner)
        postgres = Postgres(data / "postgres", sockets, owner)
        valkey = Valkey(data / "valkey", sockets, owner)
        first = Breakable(postgres, data / "postgres.log")
        second = Breakable(valkey, data / "valkey.log")
        both = (first, second)
        try:
            for server in both:
                server.start()
            Databases(postgres).create("site", "template0")
            upgrade(postgres.url_of("site"))
            url = postgres.url_of("site", APP_USER)
            grant_application(postgres.url_of("site"), url)
            environment = {"DATABASE_URL": url, "REDIS_URL": valkey.url}
            yield BreakableServices(first, second, environment, small)
        finally:
            for server in both:
                server.stop()

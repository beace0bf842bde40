"""A whole site under its supervisor, in a folder of its own, with access to its database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import redis

from bench.site import wait_until
from shared.db import Database
from supervisor.embedded.folders import make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.valkey import Valkey
from supervisor.pid_files import PidFiles
from supervisor.ports import choose_port

START_S = 120
STOP_S = 120
USER_HEADER = "X-Forwarded-User"


@dataclass(frozen=True, kw_only=True)
class Supervised:
    """Requests to `url` name their user in `USER_HEADER`."""

    url: str
    data_dir: Path
    database: Database
    redis: redis.Redis

    @property
    def log(self) -> str:
        return (self.data_dir / "log").read_text(errors="replace")

    def is_ready(self) -> bool:
        """The page answers, and Postgres and Redis are up."""
        try:
            answer = httpx.get(f"{self.url}/readyz", timeout=5).json()
        except (httpx.HTTPError, ValueError):
            return False
        return bool(answer["ready"] and answer["redis"])

    def kill(self, name: str, most: int | None = None) -> None:
        """Send SIGKILL to at most `most` processes of this name, and to their children."""
        started = PidFiles(self.data_dir / "pids").list_started()
        for child in [child for child in started if child.name.split(".")[0] == name][:most]:
            os.killpg(child.pid, signal.SIGKILL)


@contextmanager
def supervised(data_dir: Path, **environment: str) -> Iterator[Supervised]:
    data_dir.mkdir(exist_ok=True)
    data_dir.chmod(0o711)  # as root, the databases run as another account
    port = choose_port("PORT", "127.0.0.1", 0)
    defaults = {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "FORMATION": "flower=0",
        "AUTH_MODE": "proxy",
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    with (data_dir / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "supervisor"],
            env=os.environ | defaults | environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield _reach(data_dir, f"http://127.0.0.1:{port}")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(STOP_S)


def database_of(data_dir: Path) -> Database:
    """The embedded database of a supervisor, as its owner, who may read everything."""
    owner = find_owner()
    sockets = make_socket_folder(data_dir, owner)
    return Database(Postgres(data_dir / "postgres", sockets, owner).url, pool_size=2)


def _reach(data_dir: Path, url: str) -> Supervised:
    owner = find_owner()
    sockets = make_socket_folder(data_dir, owner)
    site = Supervised(
        url=url,
        data_dir=data_dir,
        database=database_of(data_dir),
        redis=redis.Redis.from_url(Valkey(data_dir / "valkey", sockets, owner).url),
    )
    if not wait_until(site.is_ready, START_S):
        raise SystemExit(f"the site did not start within {START_S} s:\n{site.log[-2000:]}")
    return site

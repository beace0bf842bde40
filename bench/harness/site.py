"""A whole site under its supervisor, in a folder of its own, with access to its databases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import redis

from bench.harness.processes import list_pids
from bench.harness.report import print_load
from shared.db import Database, Row, fetch_row
from shared.maintenance.verify import find_breaches
from shared.settings import Settings, read_settings
from supervisor.embedded.folders import make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.valkey import Valkey
from supervisor.ports import choose_port

START_S = 120
STOP_S = 120
EXPORT_S = 300.0
QUIET_S = 400.0
POLL_S = 0.5
MODEL = "bench-model"
USER_HEADER = "X-Forwarded-User"


@dataclass(frozen=True, kw_only=True)
class BenchSite:
    """Requests to `url` name their user in `USER_HEADER`."""

    url: str
    data_dir: Path
    database: Database
    redis: redis.Redis

    @property
    def log(self) -> str:
        return (self.data_dir / "log").read_text(errors="replace")

    @property
    def web_pid(self) -> int:
        return list_pids(self.data_dir)["web"]

    def is_ready(self) -> bool:
        """The page answers, and Postgres and Redis are up."""
        try:
            answer = httpx.get(f"{self.url}/readyz", timeout=5).json()
        except (httpx.HTTPError, ValueError):
            return False
        return bool(answer["ready"] and answer["redis"])

    def kill(self, name: str, most: int | None = None) -> None:
        """Send SIGKILL to at most `most` processes of this name, and to their children."""
        pids = list_pids(self.data_dir).items()
        for pid in [pid for child, pid in pids if child.split(".")[0] == name][:most]:
            os.killpg(pid, signal.SIGKILL)

    def fetch_row(self, sql: str, **args: object) -> Row:
        """The one row of a statement that has one, such as an aggregate."""
        with self.database.transaction() as connection:
            row = fetch_row(connection, sql, **args)
        assert row is not None  # noqa: S101 - such statements have one
        return row

    def warm_up(self) -> None:
        """Wait for the model's ONNX form, which a child of the web process writes at first."""
        wait_until(lambda: "encoder.loaded" in self.log, EXPORT_S)

    def wait_for_jobs(self, limit_s: float = QUIET_S, settings: Settings | None = None) -> bool:
        """Until every reply and job is done. False if that took longer."""
        known = settings or read_settings()
        is_quiet = wait_until(lambda: not find_breaches(self.database, known, quiet=True), limit_s)
        if not is_quiet:
            print(f"jobs have not caught up within {limit_s:g} s: their cost is not all measured")
        return is_quiet


def model_settings(base_url: str, model: str = MODEL) -> dict[str, str]:
    """A site's environment for this model server."""
    return {"LLM_MODEL": model, "LLM_API_BASE": base_url, "LLM_API_KEY": "bench"}


@contextmanager
def running_site(environment: Mapping[str, str], keep: Path | None = None) -> Iterator[BenchSite]:
    """In a folder that is removed, unless one to `keep` is named. Prints the load before."""
    print_load()
    with ExitStack() as stack:
        folder = keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="throughline-bench-"))
        )
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)  # as root, the databases run as another account
        yield stack.enter_context(_supervised(folder / "data", environment))


@contextmanager
def _supervised(data_dir: Path, environment: Mapping[str, str]) -> Iterator[BenchSite]:
    data_dir.mkdir(exist_ok=True)
    data_dir.chmod(0o711)
    port = choose_port("PORT", "127.0.0.1", 0)
    defaults = {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "FORMATION": "flower=0",
        "AUTH_MODE": "proxy",
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    with (data_dir / "log").open("wb") as log, running_supervisor({**defaults, **environment}, log):
        database_url, redis_url = find_addresses(data_dir)
        site = BenchSite(
            url=f"http://127.0.0.1:{port}",
            data_dir=data_dir,
            database=Database(database_url, pool_size=2),
            redis=redis.Redis.from_url(redis_url),
        )
        if not wait_until(site.is_ready, START_S):
            raise SystemExit(f"the site did not start within {START_S} s:\n{site.log[-2000:]}")
        yield site


@contextmanager
def running_supervisor(
    environment: Mapping[str, str], log: IO[bytes] | int, checkout: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Of this checkout, unless another one is named."""
    process = subprocess.Popen(
        [sys.executable, "-m", "supervisor", "--logs"],
        cwd=checkout,
        env={**os.environ, **environment},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(STOP_S)


def find_addresses(data_dir: Path) -> tuple[str, str]:
    """Of a supervisor's Postgres, as its owner, who may read everything, and of its Redis."""
    owner = find_owner()
    sockets = make_socket_folder(data_dir, owner)
    return (
        Postgres(data_dir / "postgres", sockets, owner).url,
        Valkey(data_dir / "valkey", sockets, owner).url,
    )


def wait_until(is_so: Callable[[], bool], limit_s: float, poll_s: float = POLL_S) -> bool:
    """False if it did not become true in time."""
    deadline = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() >= deadline:
            return False
        time.sleep(poll_s)
    return True

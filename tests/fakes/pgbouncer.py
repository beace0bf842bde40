"""A real PgBouncer in transaction mode before a test's database."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg2

from supervisor.embedded.owner import Owner
from tests.e2e.breakable import Breakable

# Debian puts it into /usr/sbin, bin/debian-tools into the folder of Python.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(Path(sys.prefix) / "bin")])
PGBOUNCER = shutil.which("pgbouncer", path=PLACES)
CONNECTIONS = 2  # to Postgres: fewer than clients, so that they are lent from one to the other

CONFIGURATION = """
[databases]
* = host={sockets}

[pgbouncer]
unix_socket_dir = {folder}
unix_socket_mode = 0777
listen_port = 6432
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {connections}
min_pool_size = 0
logfile = {folder}/log
pidfile =
"""


class PgBouncer:
    """Before the database of `database_url`, for its role alone."""

    name = "pgbouncer"
    stop_signal = signal.SIGTERM
    folder = "/"
    environment: Mapping[str, str] = {"LD_LIBRARY_PATH": str(Path(sys.prefix) / "lib")}

    def __init__(
        self, database_url: str, folder: Path, owner: Owner, connections: int = CONNECTIONS
    ) -> None:
        parts = urlsplit(database_url)
        (self._sockets,) = parse_qs(parts.query)["host"]
        self._folder, self._owner = folder, owner
        self._user = parts.username
        self._connections = connections
        self.identity = owner.identity
        self.url = f"postgresql://{parts.username}@{parts.path}?host={folder}&port=6432"

    def prepare(self) -> None:
        self._owner.make_private_folder(self._folder)
        self._folder.chmod(0o755)
        (self._folder / "users").write_text(f'"{self._user}" ""\n')
        (self._folder / "pgbouncer.ini").write_text(
            CONFIGURATION.format(
                sockets=self._sockets, folder=self._folder, connections=self._connections
            )
        )

    def command(self) -> list[str]:
        return [str(PGBOUNCER), str(self._folder / "pgbouncer.ini")]

    def is_ready(self) -> bool:
        try:
            psycopg2.connect(self.url, connect_timeout=2).close()
        except psycopg2.OperationalError:
            return False
        return True


@contextmanager
def running_pgbouncer(
    database_url: str, folder: Path, owner: Owner, connections: int = CONNECTIONS
) -> Iterator[Breakable]:
    """A pooler that a test may kill and start again."""
    breakable = Breakable(
        PgBouncer(database_url, folder, owner, connections), folder.parent / "pooler.log"
    )
    breakable.start()
    try:
        yield breakable
    finally:
        breakable.stop()


def url_of(pooler: Breakable) -> str:
    """The URL of the same database and role, through the pooler."""
    assert isinstance(pooler.service, PgBouncer)
    return pooler.service.url

"""A real PgBouncer in transaction mode before a test's database."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg2

from supervisor.embedded.owner import Owner

# Debian puts it into /usr/sbin, bin/debian-tools into the folder of Python.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(Path(sys.prefix) / "bin")])
PGBOUNCER = shutil.which("pgbouncer", path=PLACES)
CONNECTIONS = 2  # to Postgres: fewer than clients, so that they are lent from one to the other
START_S = 10

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


@contextmanager
def running_pgbouncer(database_url: str, folder: Path, owner: Owner) -> Iterator[str]:
    """Yields the URL of the same database and role, through the pooler."""
    parts = urlsplit(database_url)
    (sockets,) = parse_qs(parts.query)["host"]
    owner.make_private_folder(folder)
    folder.chmod(0o755)
    (folder / "users").write_text(f'"{parts.username}" ""\n')
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        CONFIGURATION.format(sockets=sockets, folder=folder, connections=CONNECTIONS)
    )
    url = f"postgresql://{parts.username}@{parts.path}?host={folder}&port=6432"
    process = subprocess.Popen(
        [str(PGBOUNCER), str(configuration)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"LD_LIBRARY_PATH": str(Path(sys.prefix) / "lib")},
        **owner.identity,
    )
    try:
        _wait_until_ready(url, process)
        yield url
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < until:
        try:
            psycopg2.connect(url).close()
        except psycopg2.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("PgBouncer did not start")

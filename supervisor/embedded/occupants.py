"""Find processes that still use a data folder (on Linux; elsewhere none are found)."""

from __future__ import annotations

import os
import time
from pathlib import Path

from supervisor.embedded.errors import EmbeddedServiceError

_PROC = Path("/proc")


def list_occupants(folder: Path) -> list[int]:
    """Ids of processes with the working directory `folder`, as Postgres and Valkey have."""
    return [int(entry.name) for entry in _PROC.glob("[0-9]*") if _works_in(entry, str(folder))]


def wait_until_free(folder: Path, *, limit_s: float = 10.0) -> None:
    """Wait until no process uses `folder`. Raises EmbeddedServiceError after `limit_s`.

    The helpers of a server that was killed need a moment to end.
    """
    deadline = time.monotonic() + limit_s
    while pids := list_occupants(folder):
        if time.monotonic() > deadline:
            raise EmbeddedServiceError(f"{folder} is in use by the processes {pids}.")
        time.sleep(0.05)


def _works_in(process: Path, folder: str) -> bool:
    try:
        return os.readlink(process / "cwd") == folder
    except OSError:  # it has ended, or belongs to another account
        return False

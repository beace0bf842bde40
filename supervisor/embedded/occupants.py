"""Which processes still work in a data folder (Linux; elsewhere none are seen)."""

from __future__ import annotations

import os
import time
from pathlib import Path

from supervisor.embedded.errors import EmbeddedServiceError

_PROC = Path("/proc")


def occupants(folder: Path) -> list[int]:
    """Ids of processes whose working folder is `folder`; that is how Postgres and Valkey run."""
    return [int(entry.name) for entry in _PROC.glob("[0-9]*") if _works_in(entry, str(folder))]


def wait_until_free(folder: Path, *, limit_s: float = 10.0) -> None:
    """After kill -9 of a server its helpers need a moment to notice. Raises when they stay."""
    deadline = time.monotonic() + limit_s
    while pids := occupants(folder):
        if time.monotonic() > deadline:
            raise EmbeddedServiceError(f"{folder} is in use by the processes {pids}.")
        time.sleep(0.05)


def _works_in(process: Path, folder: str) -> bool:
    try:
        return os.readlink(process / "cwd") == folder
    except OSError:  # it ended, or belongs to somebody else
        return False

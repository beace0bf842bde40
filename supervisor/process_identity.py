"""Tell a process from a later one with the same process id."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def find_identity(pid: int) -> str | None:
    """A text that is unique to this process; None if no process has `pid`, or only a zombie."""
    return _from_proc(pid) if sys.platform == "linux" else _from_ps(pid)


def _from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name before it may contain any character
    state, started = fields[0], fields[19]
    return None if state in "ZX" else f"{_BOOT_ID.read_text().strip()} {started}"


def _from_ps(pid: int) -> str | None:
    done = subprocess.run(
        ["ps", "-o", "state=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    state, _, started = done.stdout.strip().partition(" ")
    return started.strip() or None if not state.startswith("Z") else None

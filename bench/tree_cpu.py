"""The CPU time of a process and all its descendants (Linux: from /proc)."""

from __future__ import annotations

import os
from pathlib import Path

from bench.memory import PROC, list_descendants

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: user and system time, own and of children waited for.
TIMES = slice(11, 15)


class TreeCpu:
    """Counts processes that have ended, once their parent has waited for them."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def read_s(self) -> float:
        pids = [self._pid, *list_descendants(self._pid)]
        return sum(_read_ticks(pid) for pid in pids) / TICKS_PER_S


def _read_ticks(pid: int) -> int:
    try:
        stat = Path(PROC, str(pid), "stat").read_text()
    except OSError:  # it has just ended
        return 0
    return sum(map(int, stat.rpartition(")")[2].split()[TIMES]))

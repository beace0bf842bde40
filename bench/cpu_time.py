"""The CPU time of processes, from /proc (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Of a process and its descendants that live."""
    return sum(_read_stat(PROC / str(each) / "stat") for each in [pid, *_descendants(pid)])


def main_thread_s(pid: int) -> float:
    """Of the main thread alone."""
    return _read_stat(PROC / str(pid) / "task" / str(pid) / "stat")


def total_s(pids: Iterable[int]) -> float:
    return sum(cpu_s(pid) for pid in pids)


def _descendants(pid: int) -> Iterator[int]:
    for task in (PROC / str(pid) / "task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _descendants(int(child))


def _read_stat(path: Path) -> float:
    fields = path.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS

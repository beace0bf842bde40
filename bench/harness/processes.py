"""The CPU time and the memory of processes with all their descendants (Linux: from /proc)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from supervisor.pid_files import PidFiles

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: user and system time, own and of children waited for.
TIMES = slice(11, 15)


@dataclass(frozen=True, kw_only=True)
class Memory:
    """`resident_mb` counts shared pages in full, `share_mb` divides them among their users."""

    resident_mb: float
    share_mb: float


def list_pids(data_dir: Path) -> dict[str, int]:
    """The processes of the supervisor on `data_dir`, by name, such as `worker-llm.1`."""
    started = PidFiles(data_dir / "pids").list_started()
    return {process.name: process.pid for process in started}


def measure_memory(pid: int) -> Memory:
    readings = [_read_rollup(each) for each in [pid, *list_descendants(pid)]]
    rollups = [rollup for rollup in readings if rollup]
    return Memory(
        resident_mb=sum(rollup["Rss"] for rollup in rollups) / 1024,
        share_mb=sum(rollup["Pss"] for rollup in rollups) / 1024,
    )


def measure_shares(data_dir: Path) -> dict[str, float]:
    """The MB of each process of the supervisor, by name."""
    return {name: measure_memory(pid).share_mb for name, pid in list_pids(data_dir).items()}


def cpu_s(*pids: int) -> float:
    """Processes that have ended count, once their parent has waited for them."""
    trees = [each for pid in pids for each in [pid, *list_descendants(pid)]]
    return sum(_read_s(PROC / str(pid) / "stat") for pid in trees)


def main_thread_s(pid: int) -> float:
    """Of the process itself, the CPU time of its main thread alone."""
    return _read_s(PROC / str(pid) / "task" / str(pid) / "stat", slice(11, 13))


def list_descendants(pid: int) -> Iterator[int]:
    """Those that have ended meanwhile are left out."""
    try:
        tasks = list((PROC / str(pid) / "task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return
    for child in map(int, children):
        yield child
        yield from list_descendants(child)


def _read_s(path: Path, fields: slice = TIMES) -> float:
    try:
        stat = path.read_text()
    except OSError:  # it has just ended
        return 0
    return sum(map(int, stat.rpartition(")")[2].split()[fields])) / TICKS_PER_S


def _read_rollup(pid: int) -> dict[str, int]:
    """KiB by name. Empty for a process that has just ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    fields = (line.split() for line in lines)
    return {name.rstrip(":"): int(value) for name, value, *_ in fields}

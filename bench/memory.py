"""Measure the memory of processes, in MB (Linux: from /proc)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, kw_only=True)
class Held:
    """`resident_mb` counts shared pages in full, `share_mb` divides them among their users."""

    process_count: int
    resident_mb: float
    share_mb: float


def measure_started(data_dir: Path) -> dict[str, Held]:
    """All processes of the supervisor on `data_dir`, by name. Children count with their parent."""
    started = [json.loads(path.read_text()) for path in (data_dir / "pids").glob("*.json")]
    return {entry["name"]: measure(entry["pid"]) for entry in started}


def measure(pid: int) -> Held:
    """A process and all its descendants."""
    readings = [_read_rollup(each) for each in [pid, *list_descendants(pid)]]
    rollups = [rollup for rollup in readings if rollup]
    return Held(
        process_count=len(rollups),
        resident_mb=sum(rollup["Rss"] for rollup in rollups) / 1024,
        share_mb=sum(rollup["Pss"] for rollup in rollups) / 1024,
    )


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


def _read_rollup(pid: int) -> dict[str, int]:
    """KiB by name. Empty for a process that has just ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    fields = (line.split() for line in lines)
    return {name.rstrip(":"): int(value) for name, value, *_ in fields}

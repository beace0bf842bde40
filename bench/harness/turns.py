"""Calls that take turns, so that other load on the machine falls on all of them."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Call = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Spent:
    """Median milliseconds of one call: of this process's CPU, and by the clock."""

    cpu_ms: float
    wall_ms: float


def take_turns(
    calls: Mapping[str, Call], turns: int, *, calls_each: int = 1, before: Call = lambda: None
) -> dict[str, Spent]:
    """Each turn is `calls_each` calls of each. `before` runs before each turn, not measured."""
    cpu, wall = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for turn in range(turns + 1):
        before()
        for name, call in calls.items():
            cpu_began, began = time.process_time(), time.perf_counter()
            for _ in range(calls_each):
                call()
            if turn:  # the first one warms up
                cpu[name].append((time.process_time() - cpu_began) * 1000 / calls_each)
                wall[name].append((time.perf_counter() - began) * 1000 / calls_each)
    return {
        name: Spent(cpu_ms=statistics.median(cpu[name]), wall_ms=statistics.median(wall[name]))
        for name in calls
    }

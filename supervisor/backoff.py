"""The delay before a process that died is restarted. Pure."""

from __future__ import annotations

FIRST_S = 0.5
LONGEST_S = 30.0
SETTLED_AFTER_S = 60.0


def count_failures(previous: int, ran_s: float) -> int:
    """Failures in a row, with this one. A process that ran for a while starts again at 1."""
    return 1 if ran_s >= SETTLED_AFTER_S else previous + 1


def restart_delay(failures: int) -> float:
    """Seconds: 0.5, doubled with each failure in a row, at most 30."""
    return min(LONGEST_S, FIRST_S * 2.0 ** min(failures - 1, 10))

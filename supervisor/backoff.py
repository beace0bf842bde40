"""How long to wait before a process that died is started again. Pure."""

from __future__ import annotations

FIRST_S = 0.5
LONGEST_S = 30.0
SETTLED_AFTER_S = 60.0


def count_failures(previous: int, ran_s: float) -> int:
    """Deaths in a row, this one included: a process that ran for a while begins anew."""
    return 1 if ran_s >= SETTLED_AFTER_S else previous + 1


def restart_delay(failures: int) -> float:
    """0.5 s, doubled with each death in a row, at most 30 s."""
    return min(LONGEST_S, FIRST_S * 2.0 ** min(failures - 1, 10))

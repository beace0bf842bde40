"""When to try a job again."""

from __future__ import annotations

FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 60.0
LONGEST_LEASE_S = 3600.0  # no lease and no wait is set to end later than this


def backoff_s(attempts: int, jitter: float, retry_after_s: float | None = None) -> float:
    """Doubling from `FIRST_WAIT_S`, between half and all of it by `jitter` (0..1).

    What the provider asks for is honoured up to `LONGEST_WAIT_S`.
    """
    full = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempts - 1))
    wait = full * (0.5 + 0.5 * jitter)
    return max(wait, min(retry_after_s or 0.0, LONGEST_WAIT_S))

"""How long to wait before a failed job is tried again."""

from __future__ import annotations

FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 60.0
LONGEST_LEASE_S = 3600.0  # an upper bound of all leases and waits


def backoff_s(attempts: int, jitter: float, retry_after_s: float | None = None) -> float:
    """Seconds until the next try: `FIRST_WAIT_S`, doubled with each attempt.

    `jitter` (0 to 1) takes half of it at 0, and all of it at 1. The wait is at least what the
    provider asks for (`retry_after_s`), and at most `LONGEST_WAIT_S`.
    """
    full = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempts - 1))
    wait = full * (0.5 + 0.5 * jitter)
    return max(wait, min(retry_after_s or 0.0, LONGEST_WAIT_S))

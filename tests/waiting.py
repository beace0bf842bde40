"""Wait for other threads and processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import httpx

Found = TypeVar("Found")


#: For what takes a moment on a quiet machine. The tests' machine may be busy with others.
PATIENCE_S = 60.0


def wait_for(
    ask: Callable[[], Found], timeout_s: float = PATIENCE_S, explain: Callable[[], str] = lambda: ""
) -> Found:
    """Return what `ask` returns, as soon as that is true. A network error counts as not yet."""
    deadline = time.monotonic() + timeout_s
    pause_s = 0.01
    while True:
        try:
            if result := ask():
                return result
        except httpx.HTTPError:
            pass
        assert time.monotonic() < deadline, f"not within {timeout_s} s\n{explain()}"
        time.sleep(pause_s)  # noqa: TID251 - the only pause of all tests
        pause_s = min(2 * pause_s, 0.1)

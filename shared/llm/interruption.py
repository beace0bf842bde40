"""Interrupt model calls whose result is no longer needed.

`interruptible(check)` covers every model call in its block, however deep: the calls run `check`
ten times a second, and end with the error that it raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Raises an `InterruptedWorkError` to end the call.
Check = Callable[[], None]

_check: ContextVar[Check | None] = ContextVar("check", default=None)


@contextmanager
def interruptible(check: Check) -> Iterator[None]:
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def check_interruption() -> None:
    """Run the check of the innermost `interruptible` block."""
    check = _check.get()
    if check is not None:
        check()

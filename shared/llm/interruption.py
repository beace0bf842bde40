"""A call that is no longer wanted ends at once, though the code between does not know of it.

Who starts the work says by `interruptible` what is to be checked; every call that is made in the
block checks it ten times a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Raises an `InterruptedWorkError` when the call is to end.
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
    """Raises what the nearest `interruptible` block has to say."""
    check = _check.get()
    if check is not None:
        check()

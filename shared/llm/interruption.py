"""Interrupt model calls whose result is no longer needed.

`interruptible(check)` covers every model call in its block, however deep: the calls run `check`
ten times a second, and end with the error that it raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

# Raises an `InterruptedWorkError` to end the call.
Check = Callable[[], None]


class Interruption(NamedTuple):
    check: Check
    #: Prompts are read step by step, so that the server is soon free when a call ends (`steps.py`).
    in_steps: bool


_interruption: ContextVar[Interruption | None] = ContextVar("interruption", default=None)


@contextmanager
def interruptible(check: Check, *, in_steps: bool = False) -> Iterator[None]:
    token = _interruption.set(Interruption(check, in_steps))
    try:
        yield
    finally:
        _interruption.reset(token)


def check_interruption() -> None:
    """Run the check of the innermost `interruptible` block."""
    if interruption := _interruption.get():
        interruption.check()


def reads_in_steps() -> bool:
    interruption = _interruption.get()
    return interruption is not None and interruption.in_steps

"""Simulate a system that has no threads left."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

TOO_LARGE = 1 << 50  # bytes: more than a process can address


@contextmanager
def no_threads() -> Iterator[None]:
    """Every thread started in the block fails with `RuntimeError`, as at the system's limit."""
    before = threading.stack_size(TOO_LARGE)
    try:
        yield
    finally:
        threading.stack_size(before)

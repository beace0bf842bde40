"""Imports and exports take long: so many at a time, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shared.errors import BusyError
from web.context import web_context


@contextmanager
def transfer_place() -> Iterator[None]:
    """Raises `BusyError` when all places are taken."""
    places = web_context().transfers
    if not places.acquire(blocking=False):
        raise BusyError("Too many files are being read or written right now. Try again soon.")
    try:
        yield
    finally:
        places.release()

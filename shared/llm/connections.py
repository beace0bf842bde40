"""Hanging up on a provider from another thread.

A thread that waits for a silent server cannot be told to stop. Its socket can be shut down,
though: then the read ends at once, and the server sees that nobody listens any more. So each
model call notes the socket on which its thread waits at the moment.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

HUNG_UP = "the call was abandoned"

_here = threading.local()


class CallConnection:
    """What one call is connected by; safe to hang up from any thread, at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waits_on: socket.socket | None = None
        self._is_hung_up = False

    @property
    def is_hung_up(self) -> bool:
        return self._is_hung_up

    @contextmanager
    def in_this_thread(self) -> Iterator[None]:
        """The block's traffic belongs to this call."""
        _here.connection = self
        try:
            yield
        finally:
            _here.connection = None

    def hang_up(self) -> None:
        """End what the call waits for, now or later."""
        with self._lock:
            self._is_hung_up = True
            if self._waits_on is not None:
                _shut_down(self._waits_on)

    @contextmanager
    def waiting_on(self, sock: socket.socket | None) -> Iterator[None]:
        """The block may wait for `sock`. Raises `ConnectionAbortedError` when hung up already.

        Between such blocks a socket may be given to another call, so none is kept then.
        """
        with self._lock:
            if self._is_hung_up:
                raise ConnectionAbortedError(HUNG_UP)
            self._waits_on = sock
        try:
            yield
        finally:
            with self._lock:
                self._waits_on = None


def connection_here() -> CallConnection | None:
    """That of the call which this thread makes."""
    return getattr(_here, "connection", None)


def _shut_down(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already
        # Not SSLSocket's own: it takes the TLS state from under the thread that reads.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)

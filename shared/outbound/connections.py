"""Abort a call of another server from another thread, and say how much it may send.

A thread that reads from a silent server cannot be interrupted. Shutting its socket down ends the
read at once, and tells the server that nobody listens. So each call records the socket that its
thread is waiting on.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

HUNG_UP = "the call was abandoned"

_here = threading.local()


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much a server may send. More is not read."""

    #: An answer that is read as a whole, such as JSON. Parsed, it may take thirty times as much.
    whole_bytes: int
    #: One event or line of a stream.
    event_bytes: int
    #: A stream from its beginning to its end.
    stream_bytes: int


class CallConnection:
    """The connection of one call. Any thread may hang up, at any time."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        #: Why the server's answer was not read to its end. None: it kept within the bounds.
        self.breach: str | None = None
        self._lock = threading.Lock()
        self._waits_on: socket.socket | None = None
        self._is_hung_up = False

    @property
    def is_hung_up(self) -> bool:
        return self._is_hung_up

    @contextmanager
    def in_this_thread(self) -> Iterator[None]:
        """Let the sockets that this thread uses in the block belong to this call."""
        _here.connection = self
        try:
            yield
        finally:
            _here.connection = None

    def hang_up(self) -> None:
        """End the current wait, and refuse later ones."""
        with self._lock:
            self._is_hung_up = True
            if self._waits_on is not None:
                _shut_down(self._waits_on)

    @contextmanager
    def waiting_on(self, sock: socket.socket | None) -> Iterator[None]:
        """Wait on `sock` in the block. Raises `ConnectionAbortedError` after or at a hang-up.

        The socket is forgotten after the block, because a pool may hand it to another call.
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
        if self._is_hung_up:  # else what had come by then would look like a whole answer
            raise ConnectionAbortedError(HUNG_UP)


@contextmanager
def bounded_call(bounds: Bounds, longest_s: float) -> Iterator[CallConnection]:
    """Bound the requests of the block. Its thread waits `longest_s` seconds for all of them."""
    connection = CallConnection(bounds)
    timer = threading.Timer(longest_s, connection.hang_up)
    timer.daemon = True
    timer.start()
    try:
        with connection.in_this_thread():
            yield connection
    finally:
        timer.cancel()


def connection_here() -> CallConnection | None:
    """The connection of this thread's call, if it makes one."""
    return getattr(_here, "connection", None)


def _shut_down(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already
        # Not SSLSocket.shutdown: it drops the TLS state that the reading thread still uses.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)

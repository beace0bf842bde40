"""A handler of requests that can wait, and notices when its client hangs up meanwhile."""

from __future__ import annotations

import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: the peer sees a reset


class PatientHandler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def wait(self, seconds: float) -> None:
        """Raises at once when the client hangs up meanwhile."""
        if not seconds:
            return
        listener = select.poll()  # unlike select(), for any number of open files
        listener.register(self.connection, select.POLLIN)
        if listener.poll(seconds * 1000):
            raise ConnectionAbortedError

    def wait_for(self, event: threading.Event | None) -> None:
        while event is not None and not event.is_set():
            self.wait(0.05)

    @contextmanager
    def slot(self, slots: threading.Semaphore | None) -> Iterator[None]:
        """Wait in a queue for a free slot. A client that hangs up meanwhile takes none."""
        if slots is None:
            yield
            return
        while not slots.acquire(timeout=0.01):
            self.wait(0.01)
        try:
            yield
        finally:
            slots.release()

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.connection.close()

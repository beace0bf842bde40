"""End the waits for a server of Postgres that has fallen silent, as one that is frozen.

libpq waits for ever: the kernel of a frozen server goes on acknowledging, so that neither
keepalives nor `tcp_user_timeout` see it, and `statement_timeout` is the server's own. So one thread
a process looks at the statements that wait. For one that takes long it opens a connection of its
own. If that is not answered either, the sockets of all that wait for this server are shut down, and
their statements raise as if the server had gone. A server that is merely slow answers, and is
waited for.
"""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any
from weakref import WeakSet

import psycopg2
import psycopg2.extensions
from psycopg2.extensions import POLL_OK, POLL_READ, POLL_WRITE

# Together with CONNECT_TIMEOUT_S and POOL_TIMEOUT_S of the pool, a request that meets a frozen
# server is answered within ten seconds.
LONG_S = 1.5  # of a statement, before the server is tried
TRIED_S = 2.5  # until a new connection must have been answered
TICK_S = 0.5
WAITS = {POLL_READ: select.POLLIN, POLL_WRITE: select.POLLOUT}


class Wait:
    """The wait of one connection for its server. The lock keeps it from being cut after its end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._lock = threading.Lock()
        self._descriptor: int | None = None
        self._since = 0.0

    @contextmanager
    def on(self, connection: psycopg2.extensions.connection) -> Iterator[None]:
        with self._lock:
            self._descriptor, self._since = connection.fileno(), time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._descriptor = None

    def is_long(self) -> bool:
        return self._descriptor is not None and time.monotonic() - self._since >= LONG_S

    def cut_if_long(self) -> None:
        with self._lock:
            if self._descriptor is not None and self.is_long():
                _shut_down(self._descriptor)


class SilenceWatch:
    """Looks for waits that take long. Each process has one, and makes a new one after a fork."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._waits: WeakSet[Wait] = WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, wait: Wait) -> None:
        with self._lock:
            self._waits.add(wait)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="silence", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(TICK_S)
            with self._lock:
                long = [wait for wait in self._waits if wait.is_long()]
            silent = {url for url in {wait.url for wait in long} if is_silent(url)}
            for wait in long:
                if wait.url in silent:
                    wait.cut_if_long()


WATCH = SilenceWatch()
os.register_at_fork(after_in_child=WATCH.forget)


class WatchedCursor(psycopg2.extensions.cursor):
    """A cursor whose statements end when their server falls silent."""

    def execute(self, *statement: Any) -> None:
        """Run a statement. `statement` is SQL, and its arguments if there are any."""
        wait: Wait | None = getattr(self.connection, "wait", None)
        if wait is None:
            super().execute(*statement)
            return
        with wait.on(self.connection):
            super().execute(*statement)


def is_silent(url: str) -> bool:
    """Whether the server answers no new connection. One that refuses it is not silent."""
    until = time.monotonic() + TRIED_S
    try:
        # libpq heeds no time-out here: `until` counts
        with closing(psycopg2.connect(url, async_=True, connect_timeout=3)) as connection:
            return not _is_answered(connection, until)
    except psycopg2.Error:
        return False


def _is_answered(connection: psycopg2.extensions.connection, until: float) -> bool:
    while (state := connection.poll()) != POLL_OK:
        left_s = until - time.monotonic()
        if left_s <= 0 or not _is_ready(connection, WAITS[state], left_s):
            return False
    return True


def _is_ready(connection: psycopg2.extensions.connection, event: int, for_s: float) -> bool:
    poll = select.poll()
    poll.register(connection.fileno(), event)
    return bool(poll.poll(for_s * 1000))


def _shut_down(descriptor: int) -> None:
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as copy:
        copy.shutdown(socket.SHUT_RDWR)

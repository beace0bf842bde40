"""Heartbeats: one thread a process renews the leases of everything this process is working on."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shared.db import Database, PgConnection

logger = logging.getLogger(__name__)

# (connection, fencing tokens, lease_s) -> the tokens that still hold a lease
Renew = Callable[[PgConnection, list[int], float], set[int]]


class LeaseKeeper:
    """Renews every third of the lease, so that two missed beats lose nothing."""

    def __init__(self, database: Database, lease_s: float) -> None:
        self._database = database
        self._lease_s = lease_s
        self._held: dict[int, Renew] = {}
        self._lost: dict[int, threading.Event] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def hold(self, fencing_token: int, renew: Renew) -> Iterator[threading.Event]:
        """Keep the lease of `fencing_token` alive while the block runs.

        The event is set when the lease was found lost.
        """
        lost = threading.Event()
        with self._lock:
            self._held[fencing_token] = renew
            self._lost[fencing_token] = lost
        try:
            self._ensure_thread()
            yield lost
        finally:
            with self._lock:
                self._held.pop(fencing_token, None)
                self._lost.pop(fencing_token, None)

    def stop(self) -> None:
        """End the thread; leases run out by themselves."""
        self._stopped.set()

    def beat(self) -> None:
        """Renew all once. A lease found lost is let go: its worker is told, and can write no more.

        An error in one table costs this beat of that table only.
        """
        for renew, tokens in self._by_table().items():
            try:
                with self._database.transaction() as connection:
                    kept = renew(connection, tokens, self._lease_s)
            except Exception as exc:
                logger.warning("lease.renewal_failed", extra={"error": type(exc).__name__})
                continue
            for token in set(tokens) - kept:
                self._let_go(token)

    def _ensure_thread(self) -> None:
        """Without a thread the work goes on, and the next lease tries to start one again."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            thread = threading.Thread(target=self._run, name="leases", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system has no more threads to give
                logger.warning("lease.no_thread")
            else:
                self._thread = thread

    def _run(self) -> None:
        while not self._stopped.wait(self._lease_s / 3):
            self.beat()

    def _by_table(self) -> dict[Renew, list[int]]:
        grouped: defaultdict[Renew, list[int]] = defaultdict(list)
        with self._lock:
            for token, renew in self._held.items():
                grouped[renew].append(token)
        return dict(grouped)

    def _let_go(self, token: int) -> None:
        with self._lock:
            if self._held.pop(token, None) is not None:
                self._lost[token].set()
                logger.warning("lease.lost", extra={"fencing_token": token})

"""The heartbeat of a process: one thread renews the leases of everything it is working on."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.db import Database, PgConnection
from shared.metrics.counters import LEASES_LOST
from shared.models import Leased

logger = logging.getLogger(__name__)

#: (connection, what is leased, fencing tokens, lease in seconds) -> the tokens that were renewed
Renew = Callable[[PgConnection, Leased, list[int], float], set[int]]


@dataclass(frozen=True, kw_only=True)
class _Lease:
    leased: Leased
    lost: threading.Event = field(default_factory=threading.Event)


class LeaseKeeper:
    """Renews leases every third of their length, so a lease survives two missed beats."""

    def __init__(self, database: Database, lease_s: float, renew: Renew) -> None:
        self._database = database
        self._lease_s = lease_s
        self._renew = renew
        self._leases: dict[int, _Lease] = {}  # by fencing token
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def keep_renewed(self, leased: Leased, fencing_token: int) -> Iterator[threading.Event]:
        """Renew the lease of `fencing_token` while the block runs.

        The event is set once the lease is found lost.
        """
        lease = _Lease(leased=leased)
        with self._lock:
            self._leases[fencing_token] = lease
        try:
            self._ensure_thread()
            yield lease.lost
        finally:
            with self._lock:
                self._leases.pop(fencing_token, None)

    def stop(self) -> None:
        """End the thread. The leases expire by themselves."""
        self._stopped.set()

    def beat(self) -> None:
        """Renew all leases once, with one statement a table.

        A lease that was lost is not renewed again. After an error the leases of that table wait for
        the next beat.
        """
        for leased, tokens in self._tokens_by_table().items():
            try:
                with self._database.upkeep() as connection:
                    renewed = self._renew(connection, leased, tokens, self._lease_s)
            except Exception as exc:
                logger.warning("lease.renewal_failed", extra={"error": type(exc).__name__})
                continue
            for token in set(tokens) - renewed:
                self._report_lost(token)

    def _ensure_thread(self) -> None:
        """Start the thread unless it runs. If none can be started, the next lease tries again."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            thread = threading.Thread(target=self._run, name="leases", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                logger.warning("lease.no_thread")
            else:
                self._thread = thread

    def _run(self) -> None:
        while not self._stopped.wait(self._lease_s / 3):
            self.beat()

    def _tokens_by_table(self) -> dict[Leased, list[int]]:
        grouped: defaultdict[Leased, list[int]] = defaultdict(list)
        with self._lock:
            for token, lease in self._leases.items():
                grouped[lease.leased].append(token)
        return dict(grouped)

    def _report_lost(self, token: int) -> None:
        with self._lock:
            lease = self._leases.pop(token, None)
        if lease is not None:
            lease.lost.set()
            LEASES_LOST.labels(kind=lease.leased).inc()
            logger.warning("lease.lost", extra={"fencing_token": token})

"""Whether this process can serve rounds, and if not, why. Each change is one line in the log."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Literal

from shared.db import ADVICE, DatabaseFault, name_fault
from shared.errors import DatabaseUnavailableError
from shared.maintenance.site_check import has_foreign_redis
from shared.services import Services
from shared.store.upkeep import schema
from shared.store.upkeep.server import find_write_fault

logger = logging.getLogger(__name__)

NotReady = DatabaseFault | Literal["no_schema", "old_schema", "other_site"]

MIGRATE = "run the migrations: python -m migrations"
OTHER_SITE = "give this site a Redis of its own: REDIS_URL names that of another site"
PATIENCE_S = 5.0
WRITE_EVERY_S = 5.0  # anybody may ask, as often as they like


@dataclass(frozen=True, kw_only=True)
class Readiness:
    revision: str | None
    #: None: rounds can run.
    reason: NotReady | None

    @property
    def can_read(self) -> bool:
        return self.reason in {None, "disk_full", "read_only"}


class ReadinessCheck:
    """Reads the database, and remembers what it has logged last."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._logged: NotReady | Literal["ready"] | None = None
        self._write_lock = threading.Lock()
        self._write_at = float("-inf")
        self._write_fault: DatabaseFault | None = None

    def read(self) -> Readiness:
        readiness = self._read()
        state = readiness.reason or "ready"
        with self._lock:
            is_news, self._logged = state != self._logged, state
        if is_news and readiness.reason:
            advice = ADVICE.get(readiness.reason) or (
                OTHER_SITE if readiness.reason == "other_site" else MIGRATE
            )
            logger.warning("site.not_ready", extra={"reason": readiness.reason, "advice": advice})
        elif is_news:
            logger.info("site.ready", extra={"schema": readiness.revision})
        return readiness

    def watch(self, leaving: threading.Event) -> None:
        """Read until rounds can run, or the process ends."""
        while self.read().reason and not leaving.wait(PATIENCE_S):
            pass

    def _read(self) -> Readiness:
        try:
            with self._services.database.transaction() as connection:
                revision = schema.find_revision(connection)
            is_foreign = schema.is_enough(revision) and has_foreign_redis(self._services)
        except DatabaseUnavailableError as exc:
            return Readiness(revision=None, reason=name_fault(exc))
        if revision is None:
            return Readiness(revision=None, reason="no_schema")
        if not schema.is_enough(revision):
            return Readiness(revision=revision, reason="old_schema")
        reason = "other_site" if is_foreign else self._find_write_fault()
        return Readiness(revision=revision, reason=reason)

    def _find_write_fault(self) -> DatabaseFault | None:
        """What the last try has found. One thread tries anew while the others do not wait."""
        if self._write_lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._write_at >= WRITE_EVERY_S:
                    self._write_fault = find_write_fault(self._services.database)
                    self._write_at = time.monotonic()
            finally:
                self._write_lock.release()
        return self._write_fault

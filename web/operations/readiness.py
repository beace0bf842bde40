"""Whether this process can serve rounds, and if not, why. Each change is one line in the log."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import Literal

from shared.db import ADVICE, DatabaseFault, name_fault
from shared.errors import DatabaseUnavailableError
from shared.maintenance.site_check import has_foreign_redis
from shared.services import Services
from shared.store.upkeep import schema

logger = logging.getLogger(__name__)

NotReady = DatabaseFault | Literal["no_schema", "old_schema", "other_site"]

MIGRATE = "run the migrations: python -m migrations"
OTHER_SITE = "give this site a Redis of its own: REDIS_URL names that of another site"
PATIENCE_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Readiness:
    revision: str | None
    #: None: rounds can run.
    reason: NotReady | None


class ReadinessCheck:
    """Reads the database, and remembers what it has logged last."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._logged: NotReady | Literal["ready"] | None = None

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
        if is_foreign:
            return Readiness(revision=revision, reason="other_site")
        return Readiness(
            revision=revision, reason=None if schema.is_enough(revision) else "old_schema"
        )

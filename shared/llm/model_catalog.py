"""The site's models as they are now: the environment's, and those that operators have set up."""

from __future__ import annotations

import logging
import threading
import time

from shared.db import Database
from shared.errors import ThroughlineError
from shared.llm.model_keys import open_key
from shared.models.request_limits import ModelPlace, RequestLimits
from shared.models.site_models import Examination, SiteModel, StoredModel
from shared.settings import Settings
from shared.settings.learned_limits import LearnedLimits
from shared.store import examinations, request_limits, site_models

#: Other processes learn of a change within this time. So a process reads the table so often at
#: most, and a round seldom waits for it.
CHECK_EVERY_S = 3.0

logger = logging.getLogger(__name__)


class ModelCatalog:
    """Reads the site's models from the database when they are asked for and the last read is old.

    `database` is not the pool of rounds: the caller may hold one of that pool's connections.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self.learned_limits = LearnedLimits(self._store_limits)
        self._environment = settings.with_limits(self.learned_limits)
        self._now = self._environment
        self._stored: list[StoredModel] | None = None
        self._examinations: dict[ModelPlace, Examination] = {}
        self._due_at = 0.0
        self._lock = threading.Lock()

    def settings(self) -> Settings:
        """The settings with the models of now.

        While the database is down, with the last known models.
        """
        if time.monotonic() >= self._due_at and self._lock.acquire(blocking=self._stored is None):
            try:
                if time.monotonic() >= self._due_at:
                    self._read()
            finally:
                self._lock.release()
        return self._now

    def refresh(self) -> None:
        """Read the models at once, because this process has changed some."""
        with self._lock:
            self._read()

    def forget_limits(self, name: str, *, but: ModelPlace | None = None) -> None:
        """Forget what was learned of a model, at once: everywhere, or everywhere `but` there."""
        with self._database.transaction() as connection:
            request_limits.forget_limits(connection, name, but=but)
        self.refresh()

    def _read(self) -> None:
        self._due_at = time.monotonic() + CHECK_EVERY_S
        version = self.learned_limits.version
        try:
            with self._database.transaction() as connection:
                stored = site_models.list_models(connection)
                limits = request_limits.list_limits(connection)
                examined = examinations.list_examinations(connection)
        except ThroughlineError as exc:
            logger.warning("model.catalog_unread", extra={"code": exc.code})
            return
        if (stored, examined) != (self._stored, self._examinations):
            models = tuple(ready_model(model, self._environment) for model in stored)
            self._now = self._environment.with_models(models, examined)
        self._stored, self._examinations = stored, examined
        self.learned_limits.replace(limits, version)

    def _store_limits(self, place: ModelPlace, limits: RequestLimits) -> None:
        """Without the database every process learns by itself."""
        try:
            with self._database.transaction() as connection:
                request_limits.add_limits(connection, place, limits)
        except ThroughlineError as exc:
            logger.warning("model.limits_not_stored", extra={"code": exc.code})


def ready_model(stored: StoredModel, settings: Settings) -> SiteModel:
    sealed = stored.sealed_key
    key = open_key(sealed, settings) if sealed is not None else None
    return SiteModel(config=stored.config, api_key=key)

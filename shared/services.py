"""The services of one process: database, Redis, broker, leases. All connect at first use."""

from __future__ import annotations

import functools

from shared.broker.celery_app import make_celery
from shared.db import Database, PgConnection
from shared.ephemeral.admission import ConcurrencyLimit, WaitingRounds
from shared.ephemeral.redis_client import connect_redis
from shared.ephemeral.short_term import ShortTermMemory
from shared.ephemeral.user_slots import UserSlots
from shared.guard import RECALL_TIMEOUT_S
from shared.heartbeat import LeaseKeeper
from shared.llm import ModelCatalog, server_of
from shared.models import Leased
from shared.models.job_kinds import DERIVATIONS
from shared.settings import Settings, SettingsError, current_settings
from shared.store import replies
from shared.store.lease import claims

# Connections outside the pool: leases are renewed and rounds closed even if the pool is exhausted.
HEARTBEATS = 1
CLOSINGS = 2
#: How often a job is begun before it counts as failed: what kills a worker must not do so for ever.
MAX_ATTEMPTS = 5


class Services:
    """Creating this object opens no connection."""

    def __init__(
        self,
        settings: Settings,
        *,
        recall_timeout_s: float = RECALL_TIMEOUT_S,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        """Raises `SettingsError` when Postgres or Redis has no address."""
        urls = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
        for name, url in urls.items():
            if not url:
                raise SettingsError(f"{name} is not set. `make run` sets it by itself.")
        self.settings = settings
        self.recall_timeout_s = recall_timeout_s
        self.max_attempts = max_attempts
        self.database = Database(settings.database_url, settings.db_pool_size)
        self.redis = connect_redis(settings.redis_url)
        self.broker = make_celery(settings)
        self.heartbeats = Database(settings.database_url, HEARTBEATS, "heartbeats")
        self.closings = Database(settings.database_url, CLOSINGS, "closings")
        self.keeper = LeaseKeeper(self.heartbeats, settings.lease_s, _renew_leases)
        self.short_term = ShortTermMemory(self.redis, settings)
        self.follower_slots = UserSlots(self.redis, "followers", settings.max_followers_per_user)
        self.models = ModelCatalog(self.heartbeats, settings)
        self._waiting_rounds: dict[str | None, WaitingRounds] = {}
        self._memory_limits: dict[str | None, ConcurrencyLimit] = {}

    def close(self) -> None:
        self.keeper.stop()
        self.follower_slots.stop()
        for rounds in self._waiting_rounds.values():
            rounds.stop()
        for limit in self._memory_limits.values():
            limit.stop()
        for database in (self.database, self.heartbeats, self.closings):
            database.close()
        self.redis.connection_pool.close()

    def waiting_rounds(self, model: str | None = None) -> WaitingRounds:
        """The rounds that wait for the server of `model`. None: of the model for replies."""
        settings = self.models.settings()
        server = server_of(model or settings.chat_model, settings)
        if server not in self._waiting_rounds:
            self._waiting_rounds.setdefault(server, WaitingRounds(self.redis, server))
        return self._waiting_rounds[server]

    @property
    def memory_limit(self) -> ConcurrencyLimit:
        """The limit of calls to the server of memory's model."""
        settings = self.models.settings()
        server = server_of(settings.effective_memory_model, settings)
        if server not in self._memory_limits:
            limit = ConcurrencyLimit(self.redis, server, settings)
            self._memory_limits.setdefault(server, limit)
        return self._memory_limits[server]


@functools.lru_cache(maxsize=1)
def current_services() -> Services:
    """The services of this process."""
    return Services(current_settings())


def _renew_leases(
    connection: PgConnection, leased: Leased, fencing_tokens: list[int], lease_s: float
) -> set[int]:
    if leased == "reply":
        return replies.renew_rounds(connection, fencing_tokens, lease_s)
    return claims.renew(connection, DERIVATIONS[leased], fencing_tokens, lease_s)

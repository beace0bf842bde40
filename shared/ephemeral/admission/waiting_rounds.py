"""Announcements of rounds that wait for a model, from their start to the reply's first word."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.leases import NO_LIMIT, RENEW_EVERY_S, Leases
from shared.ephemeral.admission.periodic_thread import PeriodicThread
from shared.metrics.counters import REDIS_FALLBACKS


class WaitingRounds:
    """The announcements of this process. With Redis down nobody sees them, and nothing fails."""

    def __init__(self, client: redis.Redis, server: str | None) -> None:
        """`server` is where the reply's model runs; None: its calls are not limited."""
        self._leases = Leases(client, server) if server else None
        self._announced: dict[str, Callable[[], bool]] = {}
        self._renewal = PeriodicThread("waiting-rounds", RENEW_EVERY_S, self.renew)

    @contextmanager
    def announce(self, still_waits: Callable[[], bool]) -> Iterator[None]:
        """Announce a round until `still_waits` returns false or the block ends."""
        if self._leases is None:
            yield
            return
        token = uuid.uuid4().hex
        self._announced[token] = still_waits
        self._put(self._leases, [token])
        self._renewal.ensure_started()
        try:
            yield
        finally:
            if self._announced.pop(token, None) is not None:
                self._withdraw(self._leases, [token])

    def renew(self) -> None:
        """Withdraw rounds whose reply has begun, and renew the others."""
        if self._leases is None:
            return
        announced = dict(self._announced)
        answered = [token for token, still_waits in announced.items() if not still_waits()]
        for token in answered:
            self._announced.pop(token, None)
        if waiting := [token for token in announced if token not in answered]:
            self._put(self._leases, waiting)
        # The renewal may have given a new lease to a round that ended meanwhile.
        if ended := [token for token in announced if token not in self._announced]:
            self._withdraw(self._leases, ended)

    def count(self) -> Mapping[str, int] | None:
        """`rounds` that wait, and calls of `memory`, at this model; None while Redis is down."""
        if self._leases is None:
            return {"rounds": 0, "memory": 0}
        try:
            return self._leases.count()
        except RedisError:
            return None

    def stop(self) -> None:
        self._renewal.stop()

    def _put(self, leases: Leases, tokens: list[str]) -> None:
        try:
            leases.renew(leases.keys.rounds, NO_LIMIT, tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

    def _withdraw(self, leases: Leases, tokens: list[str]) -> None:
        """Withdraw announcements. If this fails, memory waits until the leases expire."""
        try:
            leases.release(leases.keys.rounds, tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

"""Rounds say that they wait for a model, from their start to the reply's first word."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.heartbeat import Heartbeat
from shared.ephemeral.admission.leases import BEAT_S, NO_LIMIT, Leases
from shared.metrics import REDIS_FALLBACKS


class WaitingRounds:
    """Those of this process. With Redis down nobody learns of them, and nothing fails."""

    def __init__(self, client: redis.Redis, server: str | None) -> None:
        """`server` is where the reply's model runs. None: nothing there is limited."""
        self._leases = Leases(client, server) if server else None
        self._announced: dict[str, Callable[[], bool]] = {}
        self._heartbeat = Heartbeat("waiting-rounds", BEAT_S, self.beat)

    @contextmanager
    def announce(self, still_waits: Callable[[], bool]) -> Iterator[None]:
        """The block's round waits, until `still_waits` is false or the block ends."""
        if self._leases is None:
            yield
            return
        token = uuid.uuid4().hex
        self._announced[token] = still_waits
        self._renew(self._leases, [token])
        self._heartbeat.ensure()
        try:
            yield
        finally:
            if self._announced.pop(token, None) is not None:
                self._withdraw(self._leases, [token])

    def beat(self) -> None:
        """Withdraw those whose first word has come, and renew the others."""
        if self._leases is None:
            return
        announced = dict(self._announced)
        answered = [token for token, still_waits in announced.items() if not still_waits()]
        for token in answered:
            self._announced.pop(token, None)
        if waiting := [token for token in announced if token not in answered]:
            self._renew(self._leases, waiting)
        # Also those that ended while they were renewed.
        if over := [token for token in announced if token not in self._announced]:
            self._withdraw(self._leases, over)

    def stop(self) -> None:
        self._heartbeat.stop()

    def _renew(self, leases: Leases, tokens: list[str]) -> None:
        try:
            leases.renew(leases.keys.rounds, NO_LIMIT, tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

    def _withdraw(self, leases: Leases, tokens: list[str]) -> None:
        """A withdrawal that is lost costs memory one lease of waiting."""
        try:
            leases.give_back(leases.keys.rounds, tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

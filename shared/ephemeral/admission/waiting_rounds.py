"""Announcements of rounds that a model answers, from their start to the reply's last word."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.leases import NO_LIMIT, RENEW_EVERY_S, Leases
from shared.ephemeral.admission.periodic_thread import PeriodicThread
from shared.metrics.counters import REDIS_FALLBACKS


@dataclass
class _Announcement:
    length: Callable[[], int]  #: of the reply so far
    seen: int
    #: In how many renewals in a row the reply had grown.
    growing: int = 0

    def look(self) -> None:
        before, self.seen = self.seen, self.length()
        self.growing = self.growing + 1 if self.seen > before else 0


class WaitingRounds:
    """The announcements of this process. With Redis down nobody sees them, and nothing fails."""

    def __init__(self, client: redis.Redis, server: str | None) -> None:
        """`server` is where the reply's model runs; None: its calls are not limited."""
        self._leases = Leases(client, server) if server else None
        self._announcements: dict[str, _Announcement] = {}
        self._renewal = PeriodicThread("waiting-rounds", RENEW_EVERY_S, self.renew)

    @contextmanager
    def announce(self, length: Callable[[], int] = lambda: 0) -> Iterator[None]:
        """Announce a round until the block ends. `length` is that of its reply so far."""
        if self._leases is None:
            yield
            return
        token, began = uuid.uuid4().hex, time.monotonic()
        self._announcements[token] = _Announcement(length, seen=length())
        self._put(self._leases, [token])
        self._renewal.ensure_started()
        try:
            yield
        finally:
            del self._announcements[token]
            self._end(self._leases, [token], time.monotonic() - began)

    def renew(self) -> None:
        """Renew all announcements, and see whether the server writes several replies at once."""
        announcements = dict(self._announcements)
        if self._leases is None or not announcements:
            return
        for announcement in announcements.values():
            announcement.look()
        self._put(self._leases, [*announcements])
        # Two renewals in a row: one reply may end and another begin within the same second.
        if sum(announcement.growing > 1 for announcement in announcements.values()) > 1:
            self._note_several(self._leases)
        # The renewal may have given a new lease to a round that ended meanwhile.
        if ended := [token for token in announcements if token not in self._announcements]:
            self._end(self._leases, ended, 0.0)

    def count(self) -> Mapping[str, int] | None:
        """Open `rounds` and calls of `memory` at this server; None while Redis is down."""
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

    def _note_several(self, leases: Leases) -> None:
        try:
            leases.note_several()
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

    def _end(self, leases: Leases, tokens: list[str], took_s: float) -> None:
        """Withdraw announcements. If this fails, memory waits until the leases expire."""
        try:
            leases.end_rounds(tokens, took_s)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="announce_round").inc()

"""Places for memory's calls to a model: few, and none while a round waits for that model.

Without Redis the limit holds for each process by itself, and rounds are not seen.
"""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass
from types import TracebackType

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.heartbeat import Heartbeat
from shared.ephemeral.admission.leases import BEAT_S, Leases, Verdict
from shared.metrics import REDIS_FALLBACKS
from shared.settings import Settings

WAIT_S = 5.0  # how long a worker's thread waits for a place before it gives the job back
POLL_S = 0.2


@dataclass(frozen=True, kw_only=True)
class Job:
    """What asks for a place. `age_s` is since it was claimed."""

    kind: str
    job_id: int
    in_backlog: bool
    age_s: float


class Place:
    """A place that is held while the block runs. Free of charge where nothing is limited."""

    def __init__(self, calls: MemoryCalls | None, token: str, *, yields: bool) -> None:
        self._calls = calls
        self.token = token
        self.yields = yields
        self.is_revoked = False

    def __enter__(self) -> Place:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._calls is not None:
            self._calls.leave(self)


class MemoryCalls:
    """The places at the memory model, as this process sees them."""

    def __init__(self, client: redis.Redis, server: str | None, settings: Settings) -> None:
        """`server` is where memory's model runs. None: nothing there is limited."""
        self._leases = Leases(client, server) if server else None
        self._limit = settings.effective_memory_max_calls
        self._patience_s = settings.memory_patience_s
        # A hosted model has room for a round beside any call; a server of one's own may not.
        self._can_be_crowded = bool(settings.llm_api_base)
        self._held: dict[str, Place] = {}
        self._lock = threading.Lock()
        self._heartbeat = Heartbeat("memory-calls", BEAT_S, self.beat)

    def wait_for_place(self, job: Job) -> Place | Verdict:
        """Why there was none, when none came in `WAIT_S`: the thread is better used otherwise."""
        until = time.monotonic() + WAIT_S
        while True:
            found = self.take(job)
            if isinstance(found, Place) or time.monotonic() >= until:
                return found
            time.sleep(POLL_S)

    def take(self, job: Job) -> Place | Verdict:
        """A place, or why there is none now."""
        if self._leases is None:
            return Place(None, "", yields=False)
        token = uuid.uuid4().hex
        # What was said just now does not wait for ever, however busy the model is.
        yields = job.in_backlog or job.age_s < self._patience_s
        with self._lock:
            verdict = self._ask(self._leases, token, job, yields=yields)
            if verdict != "taken":
                return verdict
            place = self._held[token] = Place(self, token, yields=yields)
        self._heartbeat.ensure()
        return place

    def leave(self, place: Place) -> None:
        with self._lock:
            self._held.pop(place.token, None)
        if self._leases is not None:
            self._give_back(self._leases, [place.token])

    def beat(self) -> None:
        """Renew the places. Those that are lost, or that a waiting round needs, are revoked."""
        with self._lock:
            held = dict(self._held)
        if self._leases is None or not held:
            return
        try:
            kept, rounds = self._leases.renew(self._leases.keys.memory, self._limit, [*held])
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()
            return
        for token, place in held.items():
            is_crowding = self._can_be_crowded and place.yields and rounds > 0
            place.is_revoked |= token not in kept or is_crowding
        # Also those that were given back while they were renewed.
        if over := [token for token in held if token not in self._held]:
            self._give_back(self._leases, over)

    def stop(self) -> None:
        self._heartbeat.stop()

    def _ask(self, leases: Leases, token: str, job: Job, *, yields: bool) -> Verdict:
        try:
            return leases.take(
                token,
                self._limit,
                job=f"{job.kind}:{job.job_id}",
                in_backlog=job.in_backlog,
                yields=yields,
            )
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()
            return "taken" if len(self._held) < self._limit else "limit"

    def _give_back(self, leases: Leases, tokens: list[str]) -> None:
        """One that is not given back is over with its lease."""
        try:
            leases.give_back(leases.keys.memory, tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()

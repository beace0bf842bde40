"""The concurrency limit of memory's calls to a model.

At a server of one's own there are no slots while a round is open, and for a pause after it; a call
ends when a round opens. So it is at a slow server however many it answers at once, since what it
reads of one prompt stops the others. A quick one that was seen to write two replies at once, and a
hosted model, serve memory beside them.

Without Redis each process keeps the limit for itself, and rounds are not seen.
"""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass
from types import TracebackType

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.leases import RENEW_EVERY_S, Acquisition, Leases, Rank, Verdict
from shared.ephemeral.admission.periodic_thread import PeriodicThread
from shared.metrics.counters import REDIS_FALLBACKS, WAITING_MEMORY_CALLS
from shared.settings import Settings

WAIT_S = 5.0  # how long a worker's thread waits for a slot before it puts the job back
POLL_S = 0.2
#: How soon memory's call ends once a round is open at the same server of one's own.
LISTEN_EVERY_S = 0.2
PAUSES, LATER_PAUSES = 1, 2  # before what the next prompts need, and before what none needs


@dataclass(frozen=True, kw_only=True)
class SlotRequest:
    """The job that asks for a slot."""

    kind: str
    job_id: int
    rank: Rank
    #: Whether the server reads a prompt in no time.
    is_quick: bool


class Slot:
    """One call's share of the limit, released at the end of the `with` block."""

    def __init__(self, limit: ConcurrencyLimit | None, token: str, *, yields: bool) -> None:
        """Without `limit` the slot is not counted. `yields`: it gives way to rounds."""
        self._limit = limit
        self.token = token
        self.yields = yields
        self.is_revoked = False

    def __enter__(self) -> Slot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._limit is not None:
            self._limit.release(self)


class ConcurrencyLimit:
    """Gives this process slots for calls of memory's model."""

    def __init__(self, client: redis.Redis, server: str | None, settings: Settings) -> None:
        """`server` is where memory's model runs; None: its calls are not limited."""
        self._leases = Leases(client, server) if server else None
        self._max_calls = settings.effective_memory_max_calls
        # A hosted model can serve a round beside any number of calls. A local server may not.
        self._can_be_crowded = settings.memory_has_own_server
        self._slots: dict[str, Slot] = {}
        self._lock = threading.Lock()
        every_s = LISTEN_EVERY_S if self._can_be_crowded else RENEW_EVERY_S
        self._renewal = PeriodicThread("memory-calls", every_s, self.renew)

    def wait_for_slot(self, request: SlotRequest) -> Slot | Verdict:
        """Wait for a slot. After `WAIT_S` return the reason why there was none."""
        until = time.monotonic() + WAIT_S
        outcome = self.acquire(request)
        with WAITING_MEMORY_CALLS.track_inprogress():
            while not isinstance(outcome, Slot) and time.monotonic() < until:
                time.sleep(POLL_S)
                outcome = self.acquire(request)
        return outcome

    def acquire(self, request: SlotRequest) -> Slot | Verdict:
        """Take a slot without waiting. If there is none, return the reason."""
        if self._leases is None:
            return Slot(None, "", yields=False)
        token = uuid.uuid4().hex
        yields = self._yields(self._leases, request)
        with self._lock:
            verdict = self._ask(self._leases, token, request, yields=yields)
            if verdict != "acquired":
                return verdict
            slot = self._slots[token] = Slot(self, token, yields=yields)
        self._renewal.ensure_started()
        return slot

    def release(self, slot: Slot) -> None:
        with self._lock:
            self._slots.pop(slot.token, None)
        if self._leases is not None:
            self._give_back(self._leases, [slot.token])

    def renew(self) -> None:
        """Renew all leases. Revoke slots whose lease is lost, or that a waiting round needs."""
        with self._lock:
            slots = dict(self._slots)
        if self._leases is None or not slots:
            return
        try:
            valid_tokens, rounds = self._leases.renew(
                self._leases.keys.memory, self._max_calls, [*slots]
            )
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()
            return
        for token, slot in slots.items():
            is_crowding = slot.yields and rounds > 0
            if token not in valid_tokens or is_crowding:
                slot.is_revoked = True
        # The renewal may have given a new lease to a slot that was released meanwhile.
        if released := [token for token in slots if token not in self._slots]:
            self._give_back(self._leases, released)

    def stop(self) -> None:
        self._renewal.stop()

    def is_waiting(self) -> bool:
        """Whether a job of memory waits until nobody is answered. False while Redis is down."""
        try:
            return self._leases is not None and self._leases.waits_for_rounds()
        except RedisError:
            return False

    def _yields(self, leases: Leases, request: SlotRequest) -> bool:
        try:
            return self._can_be_crowded and not (request.is_quick and leases.serves_several())
        except RedisError:
            return self._can_be_crowded

    def _ask(self, leases: Leases, token: str, request: SlotRequest, *, yields: bool) -> Verdict:
        pauses = LATER_PAUSES if request.rank else PAUSES
        acquisition = Acquisition(
            token=token,
            job=f"{request.kind}:{request.job_id}",
            rank=request.rank,
            pauses=pauses if yields else None,
        )
        try:
            return leases.acquire(acquisition, self._max_calls)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()
            return "acquired" if len(self._slots) < self._max_calls else "limit"

    def _give_back(self, leases: Leases, tokens: list[str]) -> None:
        """Release the leases. With Redis down they expire instead."""
        try:
            leases.release(tokens)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="memory_place").inc()

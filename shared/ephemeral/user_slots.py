"""Slots of one user in all processes together: leases in Redis, by the clock of Redis.

Without Redis nothing is counted here, and each process keeps its own limit alone. The leases of a
process that died run out (`LEASE_MS`). A Redis that was emptied has them again with the next
renewal.
"""

from __future__ import annotations

import hashlib
import threading
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakSet

import redis
from redis.exceptions import RedisError

from shared.ephemeral.admission.leases import LEASE_MS, NOW
from shared.ephemeral.admission.periodic_thread import PeriodicThread
from shared.errors import TooManyAtOnceError
from shared.metrics.counters import REDIS_FALLBACKS
from shared.models import UserId

RENEW_EVERY_S = 5.0

# KEYS: the user's leases. ARGV: the limit, the lease in ms, the token. Returns 1 if it was taken.
ACQUIRE = (
    NOW
    + """
clear(KEYS[1])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
put(KEYS[1], ARGV[3], ARGV[2])
return 1
"""
)
# KEYS: the user's leases. ARGV: the lease in ms, tokens …
RENEW = NOW + "for i = 2, #ARGV do put(KEYS[1], ARGV[i], ARGV[1]) end"
# KEYS: the user's leases. Returns how many there are.
COUNT = NOW + "clear(KEYS[1]) return redis.call('ZCARD', KEYS[1])"


@dataclass(eq=False)
class _Slot:
    """One slot that is held: the name of its user's leases, and its own lease."""

    key: str
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    is_held: bool = True


class UserSlots:
    """The slots of one kind that this process holds, `per_user` of each user in all processes."""

    def __init__(self, client: redis.Redis, kind: str, per_user: int) -> None:
        self._client = client
        self._kind = kind
        self._per_user = per_user
        self._acquire = client.register_script(ACQUIRE)
        self._renew = client.register_script(RENEW)
        self._count = client.register_script(COUNT)
        # Whose holder has left without a word is renewed no longer.
        self._slots: WeakSet[_Slot] = WeakSet()
        self._lock = threading.Lock()
        self._renewal = PeriodicThread(f"{kind}-slots", RENEW_EVERY_S, self.renew)

    @contextmanager
    def slot(self, user_id: UserId) -> Iterator[None]:
        """Hold a slot while the block runs. Raises `TooManyAtOnceError` if there is none."""
        slot = _Slot(self._key(user_id))
        if not self._take(slot):
            raise TooManyAtOnceError
        with self._lock:
            self._slots.add(slot)
        self._renewal.ensure_started()
        try:
            yield
        finally:
            self._give_back(slot)

    def count(self, user_id: UserId) -> int | None:
        """How many slots the user holds, in all processes. None: Redis is away."""
        try:
            return int(str(self._count(keys=[self._key(user_id)])))
        except RedisError:
            REDIS_FALLBACKS.labels(operation="user_slots").inc()
            return None

    def renew(self) -> None:
        by_key: defaultdict[str, list[_Slot]] = defaultdict(list)
        with self._lock:
            for slot in self._slots:
                if slot.is_held:
                    by_key[slot.key].append(slot)
        for key, slots in by_key.items():
            tokens = [slot.token for slot in slots]
            self._renew(keys=[key], args=[LEASE_MS, *tokens])
            # Some may have been given back meanwhile, and were renewed all the same.
            if ended := [slot.token for slot in slots if not slot.is_held]:
                self._client.zrem(key, *ended)

    def stop(self) -> None:
        self._renewal.stop()

    def _take(self, slot: _Slot) -> bool:
        try:
            answer = self._acquire(keys=[slot.key], args=[self._per_user, LEASE_MS, slot.token])
            return bool(int(str(answer)))
        except RedisError:
            REDIS_FALLBACKS.labels(operation="user_slots").inc()
            return True

    def _give_back(self, slot: _Slot) -> None:
        """It takes no lock: the garbage collector may call it in a thread that holds it."""
        slot.is_held = False
        try:
            self._client.zrem(slot.key, slot.token)
        except RedisError:  # its lease runs out
            REDIS_FALLBACKS.labels(operation="user_slots").inc()

    def _key(self, user_id: UserId) -> str:
        """A digest: names of users are nobody's business there."""
        digest = hashlib.blake2s(user_id.encode(), digest_size=16).hexdigest()
        return f"slots:{self._kind}:{digest}"

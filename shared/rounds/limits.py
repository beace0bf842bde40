"""Limits how much work of one kind this process does at once, in total and per user."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

from shared.errors import BusyError, TooManyAtOnceError
from shared.models import UserId

BUSY = "Too many {what} right now. Please try again in a few seconds."
TOO_MANY = "Too many of your {what} already. Please wait for one of them to finish."


class ConcurrencyLimit:
    """A semaphore with a limit for each user, so that nobody can take all slots.

    `what` completes the sentence of a refusal: "searches are running".
    """

    def __init__(
        self,
        total: int,
        per_user: int,
        *,
        what: str,
        too_many: type[TooManyAtOnceError] = TooManyAtOnceError,
    ) -> None:
        self._total = total
        self._per_user = per_user
        self._what = what
        self._too_many = too_many
        self._in_use: Counter[UserId] = Counter()
        self._released: deque[UserId] = deque()
        self._lock = threading.Lock()

    @property
    def in_use(self) -> int:
        """The slots in use, of all users together."""
        return self._count_in_use().total()

    def count(self, user_id: UserId) -> int:
        """The slots that the user holds."""
        return self._count_in_use()[user_id]

    def acquire(self, user_id: UserId) -> None:
        """Take a slot without waiting. Raises `TooManyAtOnceError` (429) or `BusyError` (503)."""
        with self._lock:
            self._take_back()
            if self._in_use[user_id] >= self._per_user:
                raise self._too_many(TOO_MANY.format(what=self._what))
            if self._in_use.total() >= self._total:
                raise BusyError(BUSY.format(what=self._what))
            self._in_use[user_id] += 1

    def release(self, user_id: UserId) -> None:
        """Give a slot back, without the lock.

        The garbage collector gives back the slot of a dropped stream. It does so at any line, also
        of a thread that holds the lock.
        """
        self._released.append(user_id)

    def _count_in_use(self) -> Counter[UserId]:
        with self._lock:
            self._take_back()
            return self._in_use.copy()

    def _take_back(self) -> None:
        """Count what was released. The caller holds the lock."""
        while self._released:
            user_id = self._released.popleft()
            self._in_use[user_id] -= 1
            if not self._in_use[user_id]:
                del self._in_use[user_id]

    @contextmanager
    def slot(self, user_id: UserId) -> Iterator[None]:
        """Hold a slot while the block runs. Raises like `acquire`."""
        self.acquire(user_id)
        try:
            yield
        finally:
            self.release(user_id)

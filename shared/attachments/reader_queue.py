"""Lets files be read two at a time in a process, and users take turns."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.models import UserId

#: Each reader may take `parsing.MEMORY_BYTES`.
READERS = 2
READERS_PER_USER = READERS // 2


@dataclass(frozen=True, eq=False)
class _Waiter:
    user_id: UserId
    turn: threading.Event = field(default_factory=threading.Event)


class ReaderQueue:
    """Gives readers in order of arrival, but first to users other than the one just served."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: Counter[UserId] = Counter()
        #: The files of a user stand last once one of them was read.
        self._waiting: list[_Waiter] = []

    @property
    def waiting(self) -> int:
        """How many files wait for a reader."""
        return len(self._waiting)

    @contextmanager
    def turn(self, user_id: UserId) -> Iterator[None]:
        """Hold a reader while the block runs."""
        waiter = _Waiter(user_id)
        with self._lock:
            self._waiting.append(waiter)
            self._call_next()
        waiter.turn.wait()
        try:
            yield
        finally:
            with self._lock:
                self._busy[user_id] -= 1
                self._waiting.sort(key=lambda other: other.user_id == user_id)  # stable
                self._call_next()

    def _call_next(self) -> None:
        """Give the readers that are free to those who wait. The caller holds the lock."""
        for waiter in list(self._waiting):
            if self._busy.total() == READERS:
                return
            if self._busy[waiter.user_id] < READERS_PER_USER:
                self._busy[waiter.user_id] += 1
                self._waiting.remove(waiter)
                waiter.turn.set()
        self._busy += Counter()  # without zeros

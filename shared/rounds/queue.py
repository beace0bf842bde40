"""Lets the rounds of one process compute a few at a time, in the order in which they came.

Rounds that all compute at once take turns statement by statement, so each is ready when nearly all
are. One after the other, half of them are ready in half of that time, and the last is no later.
"""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from shared.metrics.counters import ROUND_WAIT_S

#: A round that has waited so long goes on, beside those that hold the places: a database that
#: hangs must not make rounds wait for one another.
WAIT_S = 1.0


class Ticket:
    """The number of a round in the queue. It orders all parts of the round."""

    def __init__(self, queue: RoundQueue, number: int) -> None:
        self._queue = queue
        self._number = number

    def before_answer(self) -> AbstractContextManager[None]:
        """Hold a place for the work before the reply's first word."""
        return self._queue.place((0, self._number))

    def after_answer(self) -> AbstractContextManager[None]:
        """Hold a place for the work after the reply's end. Work before a first word goes first."""
        return self._queue.place((1, self._number))


class RoundQueue:
    """A semaphore that gives its places in the order of the tickets."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._numbers = itertools.count()
        self._waiting: list[tuple[tuple[int, int], threading.Event]] = []
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """The number of rounds that wait for a place."""
        return len(self._waiting)

    def arrive(self) -> Ticket:
        return Ticket(self, next(self._numbers))

    @contextmanager
    def place(self, order: tuple[int, int]) -> Iterator[None]:
        """Hold a place while the block runs. The lowest order comes first."""
        with ROUND_WAIT_S.time():
            has_place = self._take(order)
        try:
            yield
        finally:
            if has_place:
                self._give()

    def _take(self, order: tuple[int, int]) -> bool:
        """False: there was none within `WAIT_S`."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            waiter = (order, threading.Event())
            heapq.heappush(self._waiting, waiter)
        if waiter[1].wait(WAIT_S):
            return True
        with self._lock:
            if waiter[1].is_set():  # just now
                return True
            self._waiting.remove(waiter)
            heapq.heapify(self._waiting)
        return False

    def _give(self) -> None:
        with self._lock:
            if self._waiting:
                heapq.heappop(self._waiting)[1].set()
            else:
                self._free += 1

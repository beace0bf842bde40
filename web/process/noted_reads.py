"""Which reads this process has recorded in the audit log within the hour."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

HOUR_S = 3600
MAX_NOTED = 20_000  # reads that are remembered; older ones are noted again


class NotedReads:
    """A set whose members are forgotten every hour. `now` is in seconds since 1970."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._noted: OrderedDict[object, int] = OrderedDict()
        self._lock = threading.Lock()

    def is_new(self, read: object) -> bool:
        """Note a read. Returns whether it was not noted in this hour before."""
        hour = int(self._now() // HOUR_S)
        with self._lock:
            if self._noted.get(read) == hour:
                return False
            self._noted[read] = hour
            self._noted.move_to_end(read)
            if len(self._noted) > MAX_NOTED:
                self._noted.popitem(last=False)
            return True

    def forget(self, read: object) -> None:
        with self._lock:
            self._noted.pop(read, None)

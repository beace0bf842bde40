"""How many rounds this process may have open: in all, and of one user."""

from __future__ import annotations

import threading
from collections import Counter

from shared.errors import BusyError, TooManyRoundsError
from shared.models import UserId


class Places:
    """One user cannot take all of them, however many conversations they write in at once."""

    def __init__(self, in_all: int, of_user: int) -> None:
        self._in_all = in_all
        self._of_user = of_user
        self._taken: Counter[UserId] = Counter()
        self._lock = threading.Lock()

    def take(self, user_id: UserId) -> None:
        """Raises `TooManyRoundsError` or `BusyError`; nothing is taken then."""
        with self._lock:
            if self._taken[user_id] >= self._of_user:
                raise TooManyRoundsError
            if self._taken.total() >= self._in_all:
                raise BusyError
            self._taken[user_id] += 1

    def leave(self, user_id: UserId) -> None:
        with self._lock:
            self._taken[user_id] -= 1
            if not self._taken[user_id]:
                del self._taken[user_id]

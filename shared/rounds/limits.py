"""How many of one kind of work this process does at once: in all, and for one user."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from shared.errors import BusyError, TooManyAtOnceError
from shared.models import UserId

BUSY = "Too many {what} right now. Please try again in a few seconds."
TOO_MANY = "Too many of your {what} already. Please wait for one of them to finish."


class ConcurrencyLimit:
    """One user cannot take all places, however much they ask for at once.

    `what` stands in the refusals: "searches are running".
    """

    def __init__(
        self,
        in_all: int,
        of_user: int,
        *,
        what: str,
        too_many: type[TooManyAtOnceError] = TooManyAtOnceError,
    ) -> None:
        self._in_all = in_all
        self._of_user = of_user
        self._what = what
        self._too_many = too_many
        self._taken: Counter[UserId] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """By all users together."""
        return self._taken.total()

    def take(self, user_id: UserId) -> None:
        """Raises `TooManyAtOnceError` (429) or `BusyError` (503); nothing is taken then."""
        with self._lock:
            if self._taken[user_id] >= self._of_user:
                raise self._too_many(TOO_MANY.format(what=self._what))
            if self._taken.total() >= self._in_all:
                raise BusyError(BUSY.format(what=self._what))
            self._taken[user_id] += 1

    def leave(self, user_id: UserId) -> None:
        with self._lock:
            self._taken[user_id] -= 1
            if not self._taken[user_id]:
                del self._taken[user_id]

    @contextmanager
    def place(self, user_id: UserId) -> Iterator[None]:
        """A place for as long as the block runs. Raises as `take` does."""
        self.take(user_id)
        try:
            yield
        finally:
            self.leave(user_id)

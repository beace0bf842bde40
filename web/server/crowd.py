"""All connections of a process, and which of them have asked for nothing yet."""

from __future__ import annotations

from typing import Protocol


class Guest(Protocol):
    """A connection, as the crowd knows it."""

    def drop(self) -> None:
        """Ends it at once."""


class Crowd:
    """At most `limit` connections.

    When they are all there and one more comes, the one that has waited longest without asking for
    anything goes: silent clients and slow headers cannot keep others out.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._all: set[Guest] = set()
        self._waiting: dict[Guest, None] = {}  # in the order of their coming

    def enter(self, guest: Guest) -> bool:
        """False: everyone here is being served, and there is no place for this one."""
        if len(self._all) >= self._limit and not self._make_room():
            return False
        self._all.add(guest)
        self._waiting[guest] = None
        return True

    def wait(self, guest: Guest) -> None:
        """Its request has been answered; another may come."""
        if guest in self._all:
            self._waiting[guest] = None

    def ask(self, guest: Guest) -> None:
        """It has sent a request."""
        self._waiting.pop(guest, None)

    def leave(self, guest: Guest) -> None:
        self._all.discard(guest)
        self._waiting.pop(guest, None)

    def drop_waiting(self) -> None:
        for guest in list(self._waiting):
            self.leave(guest)
            guest.drop()

    def _make_room(self) -> bool:
        longest = next(iter(self._waiting), None)
        if longest is None:
            return False
        self.leave(longest)
        longest.drop()
        return True

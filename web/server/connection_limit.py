"""How many connections a process has, and which of them are idle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

#: Of one process. Silent clients cost a little memory each, and no thread.
MAX_CONNECTIONS = 2000


@dataclass(frozen=True, kw_only=True)
class ClientLimits:
    """What a web process takes from its clients. Their times are in seconds."""

    connections: int = MAX_CONNECTIONS
    header_s: float = 10.0  #: for all headers of a request
    body_s: float = 20.0  #: of waiting for a body, in all; 1,000 bytes give back one of them
    write_s: float = 30.0  #: for a client that reads nothing of its answer


class Droppable(Protocol):
    """A connection that the limit may close."""

    def drop(self) -> None:
        """Close it at once."""


class ConnectionLimit:
    """At most `limit` connections.

    A new one replaces the connection that has been idle longest, so that silent clients and slow
    headers cannot keep others out.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._all: set[Droppable] = set()
        self._idle: dict[Droppable, None] = {}  # the longest idle one first

    def add(self, connection: Droppable) -> bool:
        """Add a connection as idle. False: all others are busy, and the limit is reached."""
        if len(self._all) >= self._limit and not self._make_room():
            return False
        self._all.add(connection)
        self._idle[connection] = None
        return True

    def mark_idle(self, connection: Droppable) -> None:
        """Note that the connection's request has been answered."""
        if connection in self._all:
            self._idle[connection] = None

    def mark_busy(self, connection: Droppable) -> None:
        """Note that the connection has sent a request."""
        self._idle.pop(connection, None)

    def remove(self, connection: Droppable) -> None:
        self._all.discard(connection)
        self._idle.pop(connection, None)

    def drop_idle(self) -> None:
        for connection in list(self._idle):
            self.remove(connection)
            connection.drop()

    def _make_room(self) -> bool:
        longest_idle = next(iter(self._idle), None)
        if longest_idle is None:
            return False
        self.remove(longest_idle)
        longest_idle.drop()
        return True

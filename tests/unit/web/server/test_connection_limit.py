"""Which connection is dropped when there are too many."""

from __future__ import annotations

from web.server.connection_limit import ConnectionLimit


class Connection:
    def __init__(self) -> None:
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


def test_the_longest_idle_connection_makes_room() -> None:
    limit, connections = ConnectionLimit(2), [Connection() for _ in range(3)]
    assert all(limit.add(connection) for connection in connections)
    assert [connection.is_dropped for connection in connections] == [True, False, False]


def test_a_busy_connection_stays() -> None:
    limit, (first, second, third) = ConnectionLimit(2), [Connection() for _ in range(3)]
    limit.add(first)
    limit.add(second)
    limit.mark_busy(first)
    assert limit.add(third)
    assert (first.is_dropped, second.is_dropped) == (False, True)


def test_none_is_added_while_all_are_busy() -> None:
    limit, (first, second) = ConnectionLimit(1), [Connection() for _ in range(2)]
    limit.add(first)
    limit.mark_busy(first)
    assert not limit.add(second)
    limit.mark_idle(first)  # its answer is out
    assert limit.add(second)
    assert first.is_dropped


def test_a_removed_connection_takes_no_room_and_cannot_be_idle_again() -> None:
    limit, (first, second, third) = ConnectionLimit(1), [Connection() for _ in range(3)]
    limit.add(first)
    limit.remove(first)
    limit.mark_idle(first)
    assert limit.add(second)
    limit.mark_busy(second)
    assert not limit.add(third)
    assert not first.is_dropped


def test_at_the_end_all_idle_connections_are_dropped() -> None:
    limit, (idle, busy) = ConnectionLimit(9), [Connection() for _ in range(2)]
    limit.add(idle)
    limit.add(busy)
    limit.mark_busy(busy)
    limit.drop_idle()
    assert (idle.is_dropped, busy.is_dropped) == (True, False)

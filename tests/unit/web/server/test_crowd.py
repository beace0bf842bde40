"""Who goes when there is no place for all connections."""

from __future__ import annotations

from web.server.crowd import Crowd


class Guest:
    def __init__(self) -> None:
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


def test_the_longest_silent_one_makes_room() -> None:
    crowd, guests = Crowd(2), [Guest() for _ in range(3)]
    assert all(crowd.enter(guest) for guest in guests)
    assert [guest.is_dropped for guest in guests] == [True, False, False]


def test_who_has_asked_for_something_stays() -> None:
    crowd, (first, second, third) = Crowd(2), [Guest() for _ in range(3)]
    crowd.enter(first)
    crowd.enter(second)
    crowd.ask(first)
    assert crowd.enter(third)
    assert (first.is_dropped, second.is_dropped) == (False, True)


def test_nobody_comes_in_while_everyone_is_being_served() -> None:
    crowd, (first, second) = Crowd(1), [Guest() for _ in range(2)]
    crowd.enter(first)
    crowd.ask(first)
    assert not crowd.enter(second)
    crowd.wait(first)  # its answer is out
    assert crowd.enter(second)
    assert first.is_dropped


def test_who_has_left_takes_no_place_and_cannot_wait_again() -> None:
    crowd, (first, second, third) = Crowd(1), [Guest() for _ in range(3)]
    crowd.enter(first)
    crowd.leave(first)
    crowd.wait(first)
    assert crowd.enter(second)
    crowd.ask(second)
    assert not crowd.enter(third)
    assert not first.is_dropped


def test_at_the_end_all_go_who_wait() -> None:
    crowd, (idle, busy) = Crowd(9), [Guest() for _ in range(2)]
    crowd.enter(idle)
    crowd.enter(busy)
    crowd.ask(busy)
    crowd.drop_waiting()
    assert (idle.is_dropped, busy.is_dropped) == (True, False)

"""Rounds compute a few at a time, in the order in which they came."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from shared.rounds import queue
from shared.rounds.queue import RoundQueue
from tests.waiting import PATIENCE_S, wait_for

Hold = Callable[[], AbstractContextManager[None]]


class Rounds:
    """Threads that take places of a queue, and note who held one."""

    def __init__(self, places: int = 1) -> None:
        self.queue = RoundQueue(places)
        self.held: list[str] = []
        self._threads: list[threading.Thread] = []
        self._go_on = threading.Event()

    def begin(self, name: str, hold: Hold) -> None:
        def run() -> None:
            with hold():
                self.held.append(name)
                self._go_on.wait(PATIENCE_S)

        thread = threading.Thread(target=run)
        self._threads.append(thread)
        thread.start()

    def wait_in_line(self, name: str, hold: Hold) -> None:
        """As `begin`, and return once it waits."""
        before = self.queue.waiting
        self.begin(name, hold)
        wait_for(lambda: self.queue.waiting == before + 1)

    def end(self) -> list[str]:
        self._go_on.set()
        for thread in self._threads:
            thread.join(PATIENCE_S)
        return self.held


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "WAIT_S", 2 * PATIENCE_S)


@pytest.mark.usefixtures("patient")
def test_the_first_to_come_computes_first_in_whatever_order_they_ask() -> None:
    rounds = Rounds()
    first, second, third = (rounds.queue.arrive() for _ in range(3))
    rounds.begin("holds", rounds.queue.arrive().before_answer)
    wait_for(lambda: rounds.held == ["holds"])
    for name, ticket in (("third", third), ("first", first), ("second", second)):
        rounds.wait_in_line(name, ticket.before_answer)
    assert rounds.end() == ["holds", "first", "second", "third"]


@pytest.mark.usefixtures("patient")
def test_whoever_has_its_answer_lets_those_go_first_that_wait_for_theirs() -> None:
    rounds = Rounds()
    answered, waiting = rounds.queue.arrive(), rounds.queue.arrive()
    rounds.begin("holds", rounds.queue.arrive().before_answer)
    wait_for(lambda: rounds.held == ["holds"])
    rounds.wait_in_line("answered", answered.after_answer)
    rounds.wait_in_line("waiting", waiting.before_answer)
    assert rounds.end() == ["holds", "waiting", "answered"]


@pytest.mark.usefixtures("patient")
def test_as_many_compute_at_once_as_there_are_places() -> None:
    rounds = Rounds(places=2)
    for name in ("one", "other"):
        rounds.begin(name, rounds.queue.arrive().before_answer)
    wait_for(lambda: len(rounds.held) == 2)
    rounds.wait_in_line("late", rounds.queue.arrive().before_answer)
    assert len(rounds.held) == 2
    assert rounds.end()[-1] == "late"


@pytest.mark.usefixtures("patient")
def test_a_place_comes_free_when_its_round_fails() -> None:
    rounds = Rounds()
    with pytest.raises(KeyError), rounds.queue.arrive().before_answer():
        raise KeyError
    rounds.begin("next", rounds.queue.arrive().before_answer)
    wait_for(lambda: rounds.held == ["next"])
    rounds.end()


def test_nobody_waits_long_for_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "WAIT_S", 0.05)
    rounds = Rounds()
    rounds.begin("hangs", rounds.queue.arrive().before_answer)
    wait_for(lambda: rounds.held == ["hangs"])
    for name in ("goes on", "goes on, too"):
        with rounds.queue.arrive().before_answer():
            rounds.held.append(name)
    assert rounds.queue.waiting == 0
    rounds.end()
    monkeypatch.setattr(queue, "WAIT_S", 2 * PATIENCE_S)
    with rounds.queue.arrive().before_answer():  # whoever went on without a place gave none back
        began = time.monotonic()
        rounds.begin("second", rounds.queue.arrive().before_answer)
        wait_for(lambda: rounds.queue.waiting == 1)
    wait_for(lambda: rounds.held[-1] == "second")
    assert time.monotonic() - began < PATIENCE_S
    rounds.end()

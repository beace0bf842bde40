"""One end for all steps."""

from __future__ import annotations

from shared.timing import Deadline


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_is_left_shrinks_to_nothing_and_no_further() -> None:
    clock = Clock()
    deadline = Deadline(2, clock)
    assert deadline.left_ms() == 2000
    clock.now += 1.5
    assert deadline.left_ms() == 500
    clock.now += 5
    assert deadline.left_ms() == 0


def test_a_part_ends_when_the_whole_does_or_sooner() -> None:
    clock = Clock()
    whole = Deadline(2, clock)
    assert whole.sooner(0.5).left_ms() == 500
    clock.now += 1.75
    assert whole.sooner(0.5).left_ms() == 250

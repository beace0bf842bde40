"""Which reads are noted, and when again."""

from __future__ import annotations

from web.process import noted_reads
from web.process.noted_reads import HOUR_S, NotedReads


class Clock:
    """It stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 10.0 * HOUR_S

    def __call__(self) -> float:
        return self.seconds


def test_a_read_is_new_once_an_hour() -> None:
    clock = Clock()
    reads = NotedReads(clock)
    assert reads.is_new(("ada", "facts"))
    assert not reads.is_new(("ada", "facts"))
    assert reads.is_new(("bob", "facts"))
    clock.seconds += HOUR_S
    assert reads.is_new(("ada", "facts"))


def test_a_read_that_was_not_written_is_new_again() -> None:
    reads = NotedReads(Clock())
    assert reads.is_new("read")
    reads.forget("read")
    assert reads.is_new("read")


def test_only_so_many_reads_are_remembered() -> None:
    reads = NotedReads(Clock())
    for number in range(noted_reads.MAX_NOTED + 5):
        assert reads.is_new(number)
    assert len(reads._noted) == noted_reads.MAX_NOTED
    assert reads.is_new(0)
    assert not reads.is_new(noted_reads.MAX_NOTED)

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any

import pytest

from shared.errors import ModelTimeoutError
from shared.llm.background_iterator import BackgroundIterator
from tests.waiting import PATIENCE_S


def read(feed: Any, silence_s: Any = PATIENCE_S, deadline_s: Any = PATIENCE_S) -> Any:
    return feed.read(silence_s=silence_s, deadline_at=time.monotonic() + deadline_s)


def test_items_come_in_order_and_then_it_ends() -> None:
    items = read(BackgroundIterator(lambda: (letter for letter in "abc")))

    assert [item for item in items if item] == ["a", "b", "c"]


def test_an_error_arrives_after_the_items_before_it() -> None:
    def broken() -> Generator[int, None, None]:
        yield 1
        raise ValueError("oh")

    items = read(BackgroundIterator(broken))

    assert next(item for item in items if item) == 1
    with pytest.raises(ValueError, match="oh"):
        list(items)


def test_silence_ticks_and_is_then_too_long() -> None:
    released = threading.Event()

    def silent() -> Generator[int, None, None]:
        released.wait(PATIENCE_S)
        yield 1

    feed = BackgroundIterator(silent)
    items = read(feed)

    assert [next(items) for _ in range(3)] == [None] * 3
    with pytest.raises(ModelTimeoutError):
        list(read(feed, silence_s=0.05))
    released.set()


def test_steady_items_do_not_pass_the_deadline() -> None:
    released = threading.Event()

    def endless() -> Generator[int, None, None]:
        while not released.wait(0.01):
            yield 1

    with pytest.raises(ModelTimeoutError):
        list(read(BackgroundIterator(endless), deadline_s=0.3))
    released.set()


def test_an_abandoned_generator_is_closed_at_its_next_item() -> None:
    abandoned, closed = threading.Event(), threading.Event()

    def endless() -> Generator[int, None, None]:
        try:
            yield 1
            abandoned.wait(PATIENCE_S)
            yield 2
        finally:
            closed.set()

    feed = BackgroundIterator(endless)
    next(read(feed))
    feed.abandon()
    abandoned.set()

    assert closed.wait(PATIENCE_S)

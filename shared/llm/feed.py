"""A blocking iterator, read without blocking."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.errors import ModelTimeoutError
from shared.llm.connections import CallConnection

TICK_S = 0.1

T = TypeVar("T")


@dataclass(frozen=True)
class _End:
    """The last thing in a feed: why it ended."""

    error: Exception | None = None


class Feed(Generic[T]):
    """Pumps a generator in a daemon thread through a queue.

    A provider's client blocks for as long as it likes and some ignore every time-out, so
    neither deadlines nor a stop button can be left to it. An abandoned feed hangs up, which ends
    what the generator waits for, and closes the generator.
    """

    def __init__(self, produce: Callable[[], Generator[T, None, None]]) -> None:
        self._produce = produce
        self._items: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
        self._abandoned = threading.Event()
        self._connection = CallConnection()
        threading.Thread(target=self._pump, name="model-feed", daemon=True).start()

    def abandon(self) -> None:
        self._abandoned.set()
        self._connection.hang_up()

    def read(self, *, silence_s: float, deadline_at: float) -> Iterator[T | None]:
        """Items as they come, and None at least every `TICK_S` while none comes.

        Raises what the generator raised, and `ModelTimeoutError` when nothing came for
        `silence_s` or `time.monotonic()` passes `deadline_at`.
        """
        silent_until = time.monotonic() + silence_s
        while True:
            item = self._next_item()
            if isinstance(item, _End):
                if item.error:
                    raise item.error
                return
            now = time.monotonic()
            if item is not None:
                silent_until = now + silence_s
            if now >= min(silent_until, deadline_at):
                raise ModelTimeoutError()
            yield item

    def _next_item(self) -> T | _End | None:
        try:
            return self._items.get(timeout=TICK_S)
        except queue.Empty:
            return None

    def _pump(self) -> None:
        end = _End()
        try:
            with self._connection.in_this_thread(), contextlib.closing(self._produce()) as items:
                for item in items:
                    self._items.put(item)
                    if self._abandoned.is_set():
                        break
        except Exception as exc:  # whatever it is, it belongs to the reader
            end = _End(exc)
        self._items.put(end)

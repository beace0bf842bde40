"""Read a blocking iterator with timeouts, by running it in a background thread."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.errors import ModelTimeoutError
from shared.logs import keep_fields
from shared.outbound.connections import Bounds, CallConnection
from shared.tracing import keep_span

TICK_S = 0.1

# The longest reply that is kept (400,000 characters) takes 2.4 MB with each character escaped, and
# a model may think as long. Streamed by tokens it takes 30 MB.
MODEL_BOUNDS = Bounds(whole_bytes=4_000_000, event_bytes=4_000_000, stream_bytes=64_000_000)

T = TypeVar("T")


@dataclass(frozen=True)
class _End:
    """The last item of the queue: the generator ended, by `error` or by itself."""

    error: Exception | None = None


class BackgroundIterator(Generic[T]):
    """Runs a generator in a daemon thread, which puts its items into a queue.

    Providers' clients block, and some ignore their timeouts, so deadlines and the stop button
    cannot rely on them. `abandon` shuts down the socket that the generator waits on, and the
    thread then closes the generator.
    """

    def __init__(self, produce: Callable[[], Generator[T, None, None]]) -> None:
        self._produce = produce
        self._items: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
        self._abandoned = threading.Event()
        self._connection = CallConnection(MODEL_BOUNDS)
        pump = keep_span(keep_fields(self._pump))
        threading.Thread(target=pump, name="model-call", daemon=True).start()

    def abandon(self) -> None:
        self._abandoned.set()
        self._connection.hang_up()

    def read(self, *, silence_s: float, deadline_at: float) -> Iterator[T | None]:
        """Yields items as they come, and None at least every `TICK_S` while none comes.

        Raises what the generator raised, and `ModelTimeoutError` when no item came for
        `silence_s` or `time.monotonic()` has passed `deadline_at`.
        """
        silent_until = time.monotonic() + silence_s
        item: T | _End | None
        while True:
            try:
                item = self._items.get(timeout=TICK_S)
            except queue.Empty:
                item = None
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

    def _pump(self) -> None:
        try:
            self._put_items()
        except Exception as exc:  # `read` raises it in the reader's thread
            self._items.put(_End(exc))
        else:
            self._items.put(_End())

    def _put_items(self) -> None:
        with self._connection.in_this_thread(), contextlib.closing(self._produce()) as items:
            for item in items:
                self._items.put(item)
                if self._abandoned.is_set():
                    break

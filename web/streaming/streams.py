"""A response body of events that are still to come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterator


class EventStream:
    """Events that are sent as they come.

    Our server reads them on its event loop. Any other WSGI server can iterate over them.
    """

    def __init__(self, events: AsyncGenerator[str, None], on_close: Callable[[], None]) -> None:
        self._events = events
        self._on_close: Callable[[], None] | None = on_close
        self._iterators: list[Generator[bytes, None, None]] = []

    async def read(self) -> AsyncGenerator[bytes, None]:
        try:
            async for event in self._events:
                yield event.encode()
        finally:
            await self._events.aclose()

    def __iter__(self) -> Iterator[bytes]:
        self._iterators.append(iterator := self._iterate())
        return iterator

    def _iterate(self) -> Generator[bytes, None, None]:
        with asyncio.Runner() as runner:
            while True:
                try:
                    event = runner.run(self._next())
                except StopAsyncIteration:
                    return
                yield event.encode()

    def close(self) -> None:
        """Call it once the client has everything or has left."""
        for iterator in self._iterators:
            iterator.close()
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()

    async def _next(self) -> str:
        return await anext(self._events)

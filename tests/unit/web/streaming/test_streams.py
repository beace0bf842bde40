"""A body of events to come, read on an event loop or iterated over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from web.streaming.streams import EventStream


class Source:
    """What a stream is made of, and what becomes of it."""

    def __init__(self) -> None:
        self.ended = 0
        self.closed = 0

    async def events(self) -> AsyncGenerator[str, None]:
        try:
            for number in range(3):
                await asyncio.to_thread(int)
                yield f"{number} é"
        finally:
            self.ended += 1

    def stream(self) -> EventStream:
        return EventStream(self.events(), self.close)

    def close(self) -> None:
        self.closed += 1


def test_both_ways_give_the_same() -> None:
    async def read() -> list[bytes]:
        return [event async for event in Source().stream().read()]

    assert (
        asyncio.run(read())
        == list(Source().stream())
        == [b"0 \xc3\xa9", b"1 \xc3\xa9", b"2 \xc3\xa9"]
    )


def test_it_is_closed_once_however_often_it_is_told() -> None:
    source = Source()
    stream = source.stream()
    stream.close()
    stream.close()
    assert source.closed == 1


def test_who_leaves_early_ends_the_events() -> None:
    source = Source()
    reader = iter(source.stream())
    next(reader)
    reader.close()  # type: ignore[attr-defined]
    assert source.ended == 1

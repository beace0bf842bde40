"""Reading a body from a client that may be slow, or gone, or send too much."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from tests.waiting import PATIENCE_S
from web.server.bodies import IN_MEMORY_BYTES, Body, ClientGoneError, Receive, SlowBodyError

TIMEOUT_S = 0.05


class LoopWithClock(asyncio.SelectorEventLoop):
    """An event loop whose clock a test puts forward."""

    ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_s


@pytest.fixture
def body_of() -> Iterator[Callable[..., Body]]:
    with ExitStack() as stack:

        def make(*pieces: bytes, ends: bool = True) -> Body:
            body = Body(sender(*pieces, ends=ends), TIMEOUT_S)
            stack.callback(body.close)
            return body

        yield make


def sender(*pieces: bytes, ends: bool) -> Receive:
    """Who does not end the body falls silent after its pieces."""
    left: Iterator[bytes] = iter(pieces)
    remaining_count = len(pieces)

    async def receive() -> Any:
        nonlocal remaining_count
        remaining_count -= 1
        if remaining_count < 0:
            await asyncio.Event().wait()
        return {
            "type": "http.request",
            "body": next(left),
            "more_body": remaining_count > 0 or not ends,
        }

    return receive


@pytest.mark.parametrize("size", [10, IN_MEMORY_BYTES * 4])
def test_a_body_is_read_to_its_end(body_of: Callable[..., Body], size: int) -> None:
    pieces = [bytes([number % 256]) * (size // 10) for number in range(10)]
    body = body_of(*pieces)
    asyncio.run(body.read(size))
    assert body.file.read() == b"".join(pieces)
    assert (body.size, body.is_whole) == (size // 10 * 10, True)


def test_no_more_is_read_than_shows_that_it_is_too_much(body_of: Callable[..., Body]) -> None:
    body = body_of(*[b"x" * 10] * 9)
    asyncio.run(body.read(25))
    assert (body.size, body.is_whole) == (30, False)


def test_a_body_that_does_not_come_is_slow(body_of: Callable[..., Body]) -> None:
    with pytest.raises(SlowBodyError):
        asyncio.run(body_of(b"x", ends=False).read(100))


def test_what_came_at_first_buys_no_time_for_later(body_of: Callable[..., Body]) -> None:
    with pytest.raises(SlowBodyError):
        asyncio.run(
            asyncio.wait_for(body_of(b"x" * 1_000_000, ends=False).read(2_000_000), PATIENCE_S)
        )


def test_the_time_of_whoever_reads_is_not_counted(body_of: Callable[..., Body]) -> None:
    async def read_slowly(body: Body) -> int:
        while await body.next_piece():
            loop.ahead_s += 2 * TIMEOUT_S
        return body.size

    loop = LoopWithClock()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        assert runner.run(read_slowly(body_of(*[b"x"] * 5, b""))) == 5


def test_a_client_that_leaves_is_gone() -> None:
    async def receive() -> Any:
        return {"type": "http.disconnect"}

    with closing(Body(receive, 1)) as body, pytest.raises(ClientGoneError):
        asyncio.run(body.read(100))


def test_a_thread_reads_a_body_as_it_comes(body_of: Callable[..., Body]) -> None:
    async def read_in_thread() -> bytes:
        stream = body_of(b"one", b"", b" two").stream()
        return await asyncio.to_thread(stream.readall)

    assert asyncio.run(read_in_thread()) == b"one two"


def test_a_thread_is_told_that_a_body_has_no_end(body_of: Callable[..., Body]) -> None:
    async def read_in_thread() -> None:
        stream = body_of(b"one", b" two", ends=False).stream()
        assert await asyncio.to_thread(stream.read, 100) == b"one"
        assert await asyncio.to_thread(stream.read, 100) == b" two"
        await asyncio.to_thread(stream.read, 100)

    with pytest.raises(ConnectionError):
        asyncio.run(read_in_thread())

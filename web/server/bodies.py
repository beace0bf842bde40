"""Reading a request's body: as large as may be, not slower than may be, and not into memory."""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import Any, BinaryIO, cast

IN_MEMORY_BYTES = 65_536  # what is larger goes to a file without a name
WRITTEN_AT_ONCE = 131_072
LEAST_BYTES_PER_S = 1000  # on average, after the time-out
LINGER_S = 2.0
LINGER_BYTES = 8_388_608

Receive = Callable[[], Awaitable[Any]]


class ClientGoneError(Exception):
    """The client has left before its request was whole."""


class SlowBodyError(Exception):
    """The body comes too slowly."""


class Body:
    """What a client sends, as far as it has been read. `file` is at its beginning in the end.

    `is_lent`: a thread has the file, and closes it, though the client may have left.
    """

    def __init__(self, receive: Receive, timeout_s: float) -> None:
        self.size = 0
        self.file = cast(BinaryIO, tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES))  # noqa: SIM115
        self.is_whole = False
        self.is_lent = False
        self._receive = receive
        self._timeout_s = timeout_s
        self._began_at: float | None = None

    async def read(self, limit: int) -> None:
        """Up to the end, or to what is more than `limit` bytes.

        Raises `SlowBodyError` and `ClientGoneError`.
        """
        pieces: list[bytes] = []
        while not self.is_whole and self.size <= limit:
            pieces.append(await self.next_piece())
            if sum(map(len, pieces)) > WRITTEN_AT_ONCE:
                await self._write(pieces)
        await self._write(pieces)
        self.file.seek(0)

    async def next_piece(self) -> bytes:
        """Empty at the end. Raises as `read` does."""
        if self.is_whole:
            return b""
        if self._began_at is None:
            self._began_at = asyncio.get_running_loop().time()
        patience_s = self._timeout_s + self.size / LEAST_BYTES_PER_S
        try:
            async with asyncio.timeout_at(self._began_at + patience_s):
                piece = await self._next()
        except TimeoutError as exc:
            raise SlowBodyError from exc
        self.size += len(piece)
        return piece

    def stream(self) -> BodyStream:
        """To be read in a thread, instead of `read`."""
        return BodyStream(self, asyncio.get_running_loop())

    async def read_past(self) -> None:
        """Throw the rest away, for a while: a client that is still sending reads no answer."""
        thrown = 0
        try:
            async with asyncio.timeout(LINGER_S):
                while not self.is_whole and thrown < LINGER_BYTES:
                    thrown += len(await self._next())
        except (TimeoutError, ClientGoneError):
            pass

    def close(self) -> None:
        self.file.close()

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        self.is_whole = not message.get("more_body", False)
        piece: bytes = message.get("body", b"")
        return piece

    async def _write(self, pieces: list[bytes]) -> None:
        """What goes to a disk is written in a thread."""
        content = b"".join(pieces)
        pieces.clear()
        if self.size <= IN_MEMORY_BYTES:
            self.file.write(content)
        else:
            await asyncio.to_thread(self.file.write, content)


class BodyStream(io.RawIOBase):
    """A body as it comes, for a thread."""

    def __init__(self, body: Body, loop: asyncio.AbstractEventLoop) -> None:
        self._body = body
        self._loop = loop
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = self._next_piece()
        taken = self._left[: len(buffer)]
        self._left = self._left[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _next_piece(self) -> bytes:
        """A piece in the middle may be empty; an empty one here is the end.

        Raises `ConnectionError` when the client is gone or too slow.
        """
        try:
            while not (piece := self._wait_for_piece()) and not self._body.is_whole:
                pass
        except (ClientGoneError, SlowBodyError, CancelledError, RuntimeError) as exc:
            # The last two: the process is stopping, and its event loop has ended.
            raise ConnectionError("The body has broken off.") from exc
        return piece

    def _wait_for_piece(self) -> bytes:
        return asyncio.run_coroutine_threadsafe(self._body.next_piece(), self._loop).result()

"""Reads a request's body, with a limit of size and of time. Large bodies go to a file."""

from __future__ import annotations

import asyncio
import io
import logging
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import Any, BinaryIO, cast

from shared.errors import NoRoomError

logger = logging.getLogger(__name__)

IN_MEMORY_BYTES = 65_536  # a larger body goes to a file without a name
CLIENT_MAX_BODY_BYTES = 20_971_520  # of OpenAI's protocol, whose clients resend images
BYTES_PER_WRITE = 131_072
MIN_BYTES_PER_S = 1000  # while somebody waits for them; else the time-out runs out
LINGER_S = 2.0
LINGER_BYTES = 8_388_608

Receive = Callable[[], Awaitable[Any]]


class ClientGoneError(Exception):
    """The client left before it had sent the whole request."""


class SlowBodyError(Exception):
    """The body comes too slowly."""


class Body:
    """A body, as far as it has been read. After `read` the file is at its beginning."""

    def __init__(self, receive: Receive, timeout_s: float) -> None:
        self.size = 0
        self.file = cast(BinaryIO, tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES))  # noqa: SIM115
        self.is_whole = False
        #: A thread uses the file, and closes it even if the client has left.
        self.is_lent = False
        self._receive = receive
        self._timeout_s = timeout_s
        self._patience_s = timeout_s  # what is left of it

    async def read(self, limit: int) -> None:
        """Read to the end, or until there are more than `limit` bytes.

        Raises `SlowBodyError`, `ClientGoneError` and `NoRoomError`.
        """
        pieces: list[bytes] = []
        while not self.is_whole and self.size <= limit:
            pieces.append(await self.next_piece())
            if sum(map(len, pieces)) > BYTES_PER_WRITE:
                await self._write(pieces)
        await self._write(pieces)
        self.file.seek(0)

    async def next_piece(self) -> bytes:
        """The next piece; empty at the end. Raises as `read` does."""
        if self.is_whole:
            return b""
        clock = asyncio.get_running_loop()
        began_at = clock.time()
        try:
            async with asyncio.timeout(self._patience_s):
                piece = await self._next()
        except TimeoutError as exc:
            raise SlowBodyError from exc
        self.size += len(piece)
        self._restore_patience(len(piece), clock.time() - began_at)
        return piece

    def _restore_patience(self, byte_count: int, waited_s: float) -> None:
        """What came at first buys no time for later: never more than the whole time-out."""
        left_s = self._patience_s - waited_s + byte_count / MIN_BYTES_PER_S
        self._patience_s = min(self._timeout_s, left_s)

    def stream(self) -> BodyStream:
        """The body as a file, for a thread. Use either this or `read`."""
        return BodyStream(self, asyncio.get_running_loop())

    async def discard_rest(self) -> None:
        """Discard the rest for up to `LINGER_S`: a client that is sending reads no answer."""
        discarded = 0
        try:
            async with asyncio.timeout(LINGER_S):
                while not self.is_whole and discarded < LINGER_BYTES:
                    discarded += len(await self._next())
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
        """Writes to disk happen in a thread. Raises `NoRoomError` when it takes no more."""
        content = b"".join(pieces)
        pieces.clear()
        if self.size <= IN_MEMORY_BYTES:
            self.file.write(content)
            return
        try:
            await asyncio.to_thread(self._write_to_disk, content)
        except OSError as exc:
            logger.error("body.no_room", extra={"error": exc.strerror})  # noqa: TRY400 - it is told
            raise NoRoomError from exc

    def _write_to_disk(self, content: bytes) -> None:
        self.file.write(content)
        self.file.flush()


class BodyStream(io.RawIOBase):
    """A body that is read in a thread while it arrives."""

    def __init__(self, body: Body, loop: asyncio.AbstractEventLoop) -> None:
        self._body = body
        self._loop = loop
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = self._next_piece()
        piece = self._left[: len(buffer)]
        self._left = self._left[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _next_piece(self) -> bytes:
        """Empty at the end of the body only; empty pieces before it are skipped.

        Raises `ConnectionError` when the client is gone or too slow.
        """
        try:
            while not (piece := self._wait_for_piece()) and not self._body.is_whole:
                pass
        except (ClientGoneError, SlowBodyError, CancelledError, RuntimeError) as exc:
            # The last two errors occur when the process stops and its event loop has ended.
            raise ConnectionError("The body has broken off.") from exc
        return piece

    def _wait_for_piece(self) -> bytes:
        return asyncio.run_coroutine_threadsafe(self._body.next_piece(), self._loop).result()

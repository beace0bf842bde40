"""ASGI in front of Flask. Threads run the views, and never wait for a client.

The event loop reads the whole body before a thread runs the view, and writes the answer after it.
Uploads are the exception: they are large and few, and a thread reads them as they arrive. A long
answer is produced piece by piece, each in a thread. A reply that is still being written (an
`EventStream`) needs no thread at all.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from shared.errors import NoRoomError
from shared.settings import Settings
from web.server.bodies import (
    CLIENT_MAX_BODY_BYTES,
    Body,
    ClientGoneError,
    Receive,
    SlowBodyError,
)
from web.server.environ import Environ, Scope, make_environ
from web.server.refusals import NO_ROOM, refusal
from web.server.turns import Turn, Turns
from web.streaming.first_token import ARRIVED_AT
from web.streaming.streams import EventStream

logger = logging.getLogger(__name__)

PIECE_BYTES = 65_536
# Requests whose body is read by a thread. The view limits the number of such threads.
OPENAI_PREFIX = "/v1/"  # clients resend their history, with images
FILES = "/api/v1/attachments"
UPLOAD = ("POST", "/api/v1/imports")

T = TypeVar("T")
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[str, str]]
StartResponse = Callable[[str, Headers, object], None]
Wsgi = Callable[[Environ, StartResponse], Iterable[bytes]]


@dataclass
class Answer:
    """Flask's answer. `body` is closed exactly once, whatever happens."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: Any = ()
    rest: Iterator[bytes] = field(default_factory=lambda: iter(()))
    piece: bytes = b""
    is_whole: bool = True  # `piece` is the last one
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take_piece(self) -> None:
        piece, is_whole = bytearray(), True
        with self.lock:
            for part in self.rest:
                piece += part
                if len(piece) >= PIECE_BYTES:
                    is_whole = False
                    break
        self.piece, self.is_whole = bytes(piece), is_whole

    def close(self) -> None:
        """Close the body. Waits for `take_piece` if that is running."""
        with self.lock:
            body, self.body = self.body, ()
            if hasattr(body, "close"):
                body.close()


class FlaskBridge:
    """The ASGI application of this process."""

    def __init__(self, app: Wsgi, settings: Settings, body_timeout_s: float) -> None:
        self._app = app
        self._body_limit = app.config["MAX_CONTENT_LENGTH"]  # type: ignore[attr-defined]
        self._file_limit = settings.attachment_max_bytes
        self._body_timeout_s = body_timeout_s
        self._pool = ThreadPoolExecutor(settings.web_threads, thread_name_prefix="request")
        self._turns = Turns(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        elif scope["type"] == "http":
            body = Body(receive, self._body_timeout_s)
            try:
                await self._serve(scope, body, send)
            finally:
                if not body.is_lent:
                    body.close()

    async def _serve(self, scope: Scope, body: Body, send: Send) -> None:
        try:
            answer = await self._answer(make_environ(scope, body.file), body)
        except ClientGoneError:  # it may still read: only its sending has ended
            await _send_refusal(send, 400)
            return
        except SlowBodyError:
            await _send_refusal(send, 408)
            return
        except NoRoomError:
            await _send_refusal(send, 503, NO_ROOM)
            await body.discard_rest()
            return
        try:
            await self._send(answer, send)
        finally:
            if not answer.is_whole or isinstance(answer.body, EventStream):
                await self._in_thread(answer.close)  # it may ask Redis
        if not body.is_whole:
            await body.discard_rest()

    async def _answer(self, environ: Environ, body: Body) -> Answer:
        """An upload is read as it arrives: if the rest is missing, the first part is kept.

        It waits for no turn: it mostly waits for its client, and has a limit of its own.
        """
        is_upload = (environ["REQUEST_METHOD"], environ["PATH_INFO"]) == UPLOAD
        if is_upload:
            environ["wsgi.input"] = body.stream()
        else:
            await self._read(environ, body)
        environ[ARRIVED_AT] = time.monotonic()
        turn = None if is_upload else await self._turns.begin(environ)
        job = self._pool.submit(self._call, environ)
        body.is_lent = True
        job.add_done_callback(lambda _: body.close())
        finish = functools.partial(self._finish, turn, environ)
        job.add_done_callback(functools.partial(_call_soon, asyncio.get_running_loop(), finish))
        return await self._wait_for(job)

    def _finish(self, turn: Turn | None, environ: Environ) -> None:
        """The thread is free again, also where the client has left before."""
        if turn:
            turn.end()
        self._turns.remember(environ)

    async def _read(self, environ: Environ, body: Body) -> None:
        """A body whose header says that it is too long is not read: Flask refuses it."""
        limit = self._limit_of(environ["PATH_INFO"])
        length = environ.get("CONTENT_LENGTH", "")
        if not length.isdecimal() or int(length) <= limit:
            await body.read(limit)
            if environ.pop("HTTP_TRANSFER_ENCODING", None):
                environ["CONTENT_LENGTH"] = str(body.size)

    def _limit_of(self, path: str) -> int:
        if path == FILES:
            return self._file_limit
        return CLIENT_MAX_BODY_BYTES if path.startswith(OPENAI_PREFIX) else self._body_limit

    def _call(self, environ: Environ) -> Answer:
        """Runs in a thread. A short answer is read to its end, and closed."""
        answer = Answer()

        def start(status: str, headers: Headers, _exc_info: object = None) -> None:
            answer.status, answer.headers = int(status.split(" ", 1)[0]), headers

        answer.body = self._app(environ, start)
        if not isinstance(answer.body, EventStream):
            answer.rest = iter(answer.body)
            answer.take_piece()
            if answer.is_whole:
                answer.close()
        return answer

    async def _send(self, answer: Answer, send: Send) -> None:
        await send(_start(answer.status, answer.headers))
        if isinstance(answer.body, EventStream):
            async with aclosing(answer.body.read()) as events:
                async for event in events:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            return
        while not answer.is_whole:
            await send({"type": "http.response.body", "body": answer.piece, "more_body": True})
            await self._in_thread(answer.take_piece)
        await send({"type": "http.response.body", "body": answer.piece})

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await self._wait_for(self._pool.submit(call))

    async def _wait_for(self, job: Future[T]) -> T:
        """If the client leaves meanwhile, the thread's answer is closed."""
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            job.add_done_callback(_discard)
            raise


def _call_soon(
    loop: asyncio.AbstractEventLoop, call: Callable[[], None], _job: Future[Any]
) -> None:
    with suppress(RuntimeError):  # the process is stopping
        loop.call_soon_threadsafe(call)


def _discard(job: Future[Any]) -> None:
    if job.cancelled() or job.exception() is not None:
        return
    if isinstance(result := job.result(), Answer):
        with suppress(Exception):
            result.close()


def _start(status: int, headers: Headers) -> dict[str, object]:
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": status, "headers": encoded}


async def _send_refusal(send: Send, status: int, sentence: tuple[str, str] | None = None) -> None:
    headers, body = refusal(status, sentence)
    await send(_start(status, headers))
    await send({"type": "http.response.body", "body": body})

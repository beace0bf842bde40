"""ASGI in front of Flask: threads work for a request, and never wait for its client.

The event loop reads the body before a thread is taken (but for uploads, which are many bytes and
few), and writes the answer after it. An answer
of unknown length is asked for piece by piece, in a thread for as long as a piece takes. Replies
that are still being written (`EventStream`) need no thread at all.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from shared.settings import Settings
from web.server.bodies import Body, ClientGoneError, SlowBodyError
from web.server.environ import ARRIVED_AT, Environ, Scope, make_environ
from web.server.refusals import refusal
from web.streams import EventStream

logger = logging.getLogger(__name__)

PIECE_BYTES = 65_536
# The one place where a thread waits for a client's body; the view limits how many may.
UPLOADS = {("POST", "/api/import")}

T = TypeVar("T")
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]


@dataclass
class Answer:
    """What Flask has said. `body` is closed once, whatever becomes of it."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: Any = ()
    rest: Iterator[bytes] = field(default_factory=lambda: iter(()))
    piece: bytes = b""
    is_whole: bool = True  # nothing comes after `piece`
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take_piece(self) -> None:
        taken, is_whole = bytearray(), True
        with self.lock:
            for part in self.rest:
                taken += part
                if len(taken) >= PIECE_BYTES:
                    is_whole = False
                    break
        self.piece, self.is_whole = bytes(taken), is_whole

    def close(self) -> None:
        """Waits for a piece that is being taken."""
        with self.lock:
            body, self.body = self.body, ()
            if hasattr(body, "close"):
                body.close()


class FlaskBridge:
    """The ASGI application of this process."""

    def __init__(self, app: Wsgi, settings: Settings) -> None:
        self._app = app
        self._body_limit = app.config["MAX_CONTENT_LENGTH"]  # type: ignore[attr-defined]
        self._body_timeout_s = settings.body_timeout_s
        self._pool = ThreadPoolExecutor(settings.web_threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Callable[..., Any], send: Send) -> None:
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
        except ClientGoneError:  # it may have stopped sending only, and still read
            await _send_refusal(send, 400)
            return
        except SlowBodyError:
            await _send_refusal(send, 408)
            return
        try:
            await self._send(answer, send)
        finally:
            if not answer.is_whole:
                await self._in_thread(answer.close)
            answer.close()
        if not body.is_whole:
            await body.read_past()

    async def _answer(self, environ: Environ, body: Body) -> Answer:
        """An upload is read while it comes: what has come is kept should the rest be missing."""
        if (environ["REQUEST_METHOD"], environ["PATH_INFO"]) in UPLOADS:
            environ["wsgi.input"] = body.stream()
        else:
            await self._read(environ, body)
        environ[ARRIVED_AT] = time.monotonic()
        job = self._pool.submit(self._call, environ)
        body.is_lent = True
        job.add_done_callback(lambda _: body.close())
        return await self._wait_for(job)

    async def _read(self, environ: Environ, body: Body) -> None:
        """What is told to be too long is not read; Flask refuses it by its length."""
        length = environ.get("CONTENT_LENGTH", "")
        if not length.isdecimal() or int(length) <= self._body_limit:
            await body.read(self._body_limit)
            if environ.pop("HTTP_TRANSFER_ENCODING", None):
                environ["CONTENT_LENGTH"] = str(body.size)

    def _call(self, environ: Environ) -> Answer:
        """In a thread. An answer that is short is taken whole, and closed."""
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

    async def _in_thread(self, call: Callable[..., T], *args: object) -> T:
        return await self._wait_for(self._pool.submit(call, *args))

    async def _wait_for(self, job: Future[T]) -> T:
        """When the client goes meanwhile, what the thread brings is closed."""
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            job.add_done_callback(_throw_away)
            raise


def _throw_away(job: Future[Any]) -> None:
    if job.cancelled() or job.exception() is not None:
        return
    if isinstance(result := job.result(), Answer):
        with suppress(Exception):
            result.close()


def _start(status: int, headers: Headers) -> dict[str, object]:
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": status, "headers": encoded}


async def _send_refusal(send: Send, status: int) -> None:
    headers, body = refusal(status)
    await send(_start(status, headers))
    await send({"type": "http.response.body", "body": body})

"""One client's connection: gunicorn's HTTP, with a time-out for everything the client does.

The time-out for a body is in `bodies.py`; gunicorn itself ends idle connections (`keepalive`).
Methods with a leading underscore override gunicorn's. tests/e2e/server/test_slow_clients.py fails
when gunicorn changes them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol

from web.server.refusals import raw_refusal

MAX_HEAD_BYTES = 65_536  # of a request's line and headers together
BODY_POLL_S = 0.02  # how often it checks whether the rest of a body has been read
LINGER_S = 5.0  # for the client to read the last bytes, before the connection is cut


class Connection(ASGIProtocol):  # type: ignore[misc]
    """`worker` is the `WebWorker`."""

    def __init__(self, worker: Any) -> None:
        super().__init__(worker)
        self._limits = worker.limits
        self._head_bytes = 0
        self._in_head = True
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._set_timer("head", self._limits.header_s, self._end_slow_head)
        if not self.worker.connection_limit.add(self):
            self._refuse(503)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._in_head or self._closed:
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(431)

    def eof_received(self) -> bool:
        """Note that the client sends no more. What has arrived of a body is still read."""
        is_in_body = self._body_receiver is not None and not self._body_receiver._complete
        if is_in_body:
            self._end_body()
        return is_in_body

    def pause_writing(self) -> None:
        """Note that the client reads too slowly: the buffer for it is full."""
        super().pause_writing()
        self._set_timer("write", self._limits.write_s, self.drop)

    def resume_writing(self) -> None:
        self._clear_timer("write")
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        for name in list(self._timers):
            self._clear_timer(name)
        self.worker.connection_limit.remove(self)
        super().connection_lost(exc)

    def drop(self) -> None:
        self.transport.abort()

    def _on_headers_complete(self) -> Any:
        self._in_head = False
        self._clear_timer("head")
        self.worker.connection_limit.mark_busy(self)
        return super()._on_headers_complete()

    def _arm_keepalive_timer(self) -> None:
        """gunicorn calls this when it begins to wait for the next request."""
        self._in_head, self._head_bytes = True, 0
        self.worker.connection_limit.mark_idle(self)
        super()._arm_keepalive_timer()

    def _close_transport(self) -> None:
        if not self._closed:
            self._set_timer("linger", LINGER_S, self.drop)
        super()._close_transport()

    def _send_error_response(
        self, status: int, message: str, extra_headers: Iterable[tuple[str, str]] = ()
    ) -> None:
        """Send the error in our own form, without `message`, which may quote the request."""
        self._safe_write(raw_refusal(status, extra_headers))

    def _end_body(self) -> None:
        if self._body_receiver.buffered and not self._closed:
            self._set_timer("body", BODY_POLL_S, self._end_body)
        else:
            self._body_receiver.signal_disconnect()

    def _end_slow_head(self) -> None:
        """A client that has sent nothing gets no answer."""
        if self._head_bytes:
            self._refuse(408)
        else:
            self.drop()

    def _refuse(self, status: int) -> None:
        self._send_error_response(status, "")
        self._close_transport()

    def _set_timer(self, name: str, after_s: float, call: Callable[[], None]) -> None:
        self._clear_timer(name)
        self._timers[name] = self.worker.loop.call_later(after_s, call)

    def _clear_timer(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

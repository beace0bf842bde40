"""Answers to requests by httpx, within the bounds of their `CallConnection`.

Nothing is asked for compressed, and nothing that comes compressed is read: so what is counted is
what is kept, and a few bytes cannot become gigabytes. Headers are bounded by httpcore (100 kB).
Every client of httpx goes through `HTTPTransport`, also litellm's, so that is patched. Requests
outside of a `CallConnection` are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import httpx

from shared.outbound.connections import CallConnection, connection_here
from shared.outbound.watched_sockets import watch_streams

PLAIN = "identity"
Kind = Literal["whole", "events", "lines", "frames"]
KINDS: dict[str, Kind] = {
    "application/json": "whole",
    "application/x-ndjson": "lines",
    "application/jsonl": "lines",
    "application/vnd.amazon.eventstream": "frames",  # binary: it has no lines
}
# What ends an event, or a line. Servers of events name all kinds of types.
SEPARATORS: dict[Kind, tuple[bytes, ...]] = {
    "events": (b"\n\n", b"\r\n\r\n", b"\r\r"),
    "lines": (b"\n",),
}
SPLIT_BYTES = 3  # of a separator that the next piece completes


class UnboundedAnswerError(httpx.TransportError):
    """The server sent more than is read, or something else that was not asked for."""


def watch_answers() -> None:
    """From now on, answers within a `CallConnection` are bounded, and may be aborted."""
    watch_streams()
    transport: Any = httpx.HTTPTransport
    if not getattr(transport.handle_request, "bounded", False):
        transport.handle_request = _bounded(transport.handle_request)


def _bounded(
    handle_request: Callable[[httpx.HTTPTransport, httpx.Request], httpx.Response],
) -> Callable[[httpx.HTTPTransport, httpx.Request], httpx.Response]:
    def handle(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        connection = connection_here()
        if connection is None:
            return handle_request(self, request)
        request.headers["Accept-Encoding"] = PLAIN
        response = handle_request(self, request)
        response.stream = BoundedStream(response, connection)
        if response.headers.get("Content-Encoding", PLAIN).lower() != PLAIN:
            response.close()
            raise _breach(connection, "It is compressed, which was not asked for.")
        return response

    handle.bounded = True  # type: ignore[attr-defined]
    return handle


class BoundedStream(httpx.SyncByteStream):
    """The bytes of an answer. Beyond the bounds it raises, and the connection is closed."""

    def __init__(self, response: httpx.Response, connection: CallConnection) -> None:
        self._inner: Any = response.stream
        self._connection = connection
        mimetype = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        self._kind = KINDS.get(mimetype, "events")
        is_whole = self._kind == "whole" or response.status_code != httpx.codes.OK
        bounds = connection.bounds
        self._most = bounds.whole_bytes if is_whole else bounds.stream_bytes
        self._total = 0
        self._since_separator = 0
        self._end = b""

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._inner:
                self._count(piece)
                yield piece
        finally:
            self.close()

    def close(self) -> None:
        self._inner.close()

    def _count(self, piece: bytes) -> None:
        self._total += len(piece)
        if self._total > self._most:
            raise _breach(self._connection, f"It has more than {self._most} bytes.")
        if self._kind in SEPARATORS:
            self._count_event(piece, SEPARATORS[self._kind])

    def _count_event(self, piece: bytes, separators: tuple[bytes, ...]) -> None:
        """Count the bytes of the present event, which may have begun in earlier pieces."""
        joined = self._end + piece
        last = max(joined.rfind(separator) for separator in separators)
        self._since_separator = (
            len(joined) - last if last >= 0 else self._since_separator + len(piece)
        )
        self._end = joined[-SPLIT_BYTES:]
        most = self._connection.bounds.event_bytes
        if self._since_separator > most:
            raise _breach(self._connection, f"It has {most} bytes without an end of an event.")


def _breach(connection: CallConnection, reason: str) -> UnboundedAnswerError:
    connection.breach = reason
    return UnboundedAnswerError(reason)

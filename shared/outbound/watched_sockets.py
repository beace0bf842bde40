"""Patch httpcore so that each call knows its socket, and none goes where no model is.

litellm reaches nearly every provider by httpx, through clients of its own, some of which live
longer than a call. All of them open sockets through httpcore's backend, so that is patched. A
provider with another client can be left only at its next piece, or after LLM_TIMEOUT_S.

There, too, each name is looked up and its addresses are checked, also after a redirect.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable
from typing import Any

import httpcore

from shared.outbound.connections import connection_here
from shared.outbound.name_lookup import (
    RefusedAddressError,
    UnknownNameError,
    connect_to_first,
    look_up,
)

CONNECT_TIMEOUT_S = 10.0  # connecting cannot be aborted, so it is kept short


class WatchedStream(httpcore.NetworkStream):
    """A network stream that reports its socket to its thread's call while it waits."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._waiting():
            return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._waiting():
            self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        with self._waiting():
            return WatchedStream(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def _waiting(self) -> contextlib.AbstractContextManager[None]:
        connection = connection_here()
        if connection is None:
            return contextlib.nullcontext()
        return connection.waiting_on(self._inner.get_extra_info("socket"))


def watch_streams() -> None:
    """Watch all sockets that are opened from now on."""
    backend: Any = httpcore.SyncBackend
    if not getattr(backend.connect_tcp, "watched", False):
        backend.connect_tcp = _watched(backend.connect_tcp)


def _watched(connect_tcp: Callable[..., httpcore.NetworkStream]) -> Callable[..., WatchedStream]:
    def connect(
        self: httpcore.SyncBackend,
        host: str,
        port: int,
        timeout: float | None = None,
        **options: Any,
    ) -> WatchedStream:
        connection = connection_here()
        if connection is None:
            return connect_checked(self, host, port, timeout, **options)
        short = min(timeout or CONNECT_TIMEOUT_S, CONNECT_TIMEOUT_S)
        with connection.waiting_on(None):
            return connect_checked(self, host, port, short, **options)

    def connect_checked(
        self: httpcore.SyncBackend, host: str, port: int, timeout: float | None, **options: Any
    ) -> WatchedStream:
        try:
            addresses = look_up(host, port)
        except (RefusedAddressError, UnknownNameError) as exc:
            raise httpcore.ConnectError(type(exc).__name__) from exc
        return WatchedStream(
            connect_to_first(
                addresses, lambda address: connect_tcp(self, address, port, timeout, **options)
            )
        )

    connect.watched = True  # type: ignore[attr-defined]
    return connect

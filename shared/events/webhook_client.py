"""Requests to users' webhooks. A name is looked up, checked and called in one step.

So the address that is called is the one that was checked, whatever the name says a moment later.
No redirect is followed, no proxy of the environment is used, and the answer's body is not read.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import certifi
import httpcore

from shared.llm.retry_after import parse_retry_after
from shared.models import Attempt, DeliveryError
from shared.outbound.name_lookup import (
    RefusedAddressError,
    UnknownNameError,
    connect_to_first,
    look_up,
)
from shared.policy.webhooks import Target, TargetRule, may_call
from shared.timing import Deadline

GONE = 410


ERRORS: tuple[tuple[type[Exception], DeliveryError], ...] = (
    (RefusedAddressError, "address_refused"),
    (UnknownNameError, "name_unknown"),
    (httpcore.TimeoutException, "timeout"),
    (ssl.SSLError, "tls_failed"),
    (httpcore.ProtocolError, "answer_unreadable"),
    (httpcore.NetworkError, "connection_failed"),
    (OSError, "connection_failed"),
)


def post(
    target: Target, rule: TargetRule, headers: Mapping[str, str], body: bytes, timeout_s: float
) -> Attempt:
    """Send one request, in `timeout_s` seconds from the first byte to the answer's headers."""
    backend = CheckedBackend(target, rule, Deadline(timeout_s))
    trusted = _trusted() if target.scheme == "https" else None  # reading them takes 45 ms of CPU
    try:
        with httpcore.ConnectionPool(ssl_context=trusted, network_backend=backend) as pool:
            return _send(pool, target, headers, body)
    except tuple(kind for kind, _ in ERRORS) as exc:
        return Attempt(error=_name(exc))


def _send(
    pool: httpcore.ConnectionPool, target: Target, headers: Mapping[str, str], body: bytes
) -> Attempt:
    url = httpcore.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode(),
    )
    base_headers = {"Host": target.host_header, "Content-Length": str(len(body))}
    with pool.stream(
        "POST", url, headers=list({**base_headers, **headers}.items()), content=body
    ) as answer:
        if 200 <= answer.status < 300:
            return Attempt(http_status=answer.status)
        return Attempt(
            http_status=answer.status,
            error="gone" if answer.status == GONE else "refused",
            retry_after_s=_retry_after_s(answer),
        )


def _retry_after_s(answer: httpcore.Response) -> float | None:
    for name, value in answer.headers:
        if name.lower() == b"retry-after":
            return parse_retry_after(value.decode("latin-1"), datetime.now(UTC))
    return None


def _name(error: Exception) -> DeliveryError:
    """The cause counts, too: httpcore reports a failed handshake as a failed connection."""
    chain = [error, *(cause for cause in (error.__cause__, error.__context__) if cause)]
    for kind, name in ERRORS:
        if any(isinstance(fault, kind) for fault in chain):
            return name
    return "connection_failed"


def _trusted() -> ssl.SSLContext:
    """The certificate authorities of the system (or of SSL_CERT_FILE), and those of browsers."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to allowed addresses alone, until the deadline."""

    def __init__(self, target: Target, rule: TargetRule, deadline: Deadline) -> None:
        self._target = target
        self._rule = rule
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = look_up(host, port, lambda address: may_call(self._target, address, self._rule))
        return connect_to_first(addresses, lambda address: self._connect(address, port))

    def _connect(self, address: str, port: int) -> TimedStream:
        left_s = _left_s(self._deadline, httpcore.ConnectTimeout)
        return TimedStream(self._inner.connect_tcp(address, port, left_s), self._deadline)

    def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.NetworkStream:
        raise RefusedAddressError


class TimedStream(httpcore.NetworkStream):
    """A stream whose every step ends by the deadline, however little arrives at a time."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left_s(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left_s(self._deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left_s = _left_s(self._deadline, httpcore.ConnectTimeout)
        return TimedStream(
            self._inner.start_tls(ssl_context, server_hostname, left_s), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left_s(deadline: Deadline, error: type[httpcore.TimeoutException]) -> float:
    left_ms = deadline.left_ms()
    if left_ms == 0:
        raise error
    return left_ms / 1000

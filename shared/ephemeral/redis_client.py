"""Make the Redis client, with short socket timeouts, so that a fault of Redis costs little."""

from __future__ import annotations

import math
import time
from typing import Any, Literal

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from shared.ephemeral.keys import PROBE
from shared.settings.service_addresses import find_tls, kind_of, read_sentinels

SOCKET_TIMEOUT_S = 1.0
CONNECT_TIMEOUT_S = 0.5
PAUSE_S = 10.0
PROBE_MS = 1000

RedisFault = Literal["password_refused", "not_writable", "not_reachable"]


class Pausing:
    """A pool that refuses connections for `PAUSE_S` after a timeout.

    A Redis that is down refuses at once, but one that hangs would cost every round a timeout.
    """

    _paused_until = 0.0

    def get_connection(self, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() < self._paused_until:
            raise redis.ConnectionError("Redis did not answer a moment ago.")
        try:
            return super().get_connection(*args, **kwargs)  # type: ignore[misc]
        except redis.TimeoutError:
            self._paused_until = time.monotonic() + PAUSE_S
            raise

    def close(self) -> None:
        """For good: what is given back afterwards opens no connection that nobody would close."""
        self._paused_until = math.inf
        super().close()  # type: ignore[misc]


class PausingPool(Pausing, redis.ConnectionPool):
    """Connections to one Redis."""


class PausingSentinelPool(Pausing, SentinelConnectionPool):
    """Connections to the master of the moment."""

    def close(self) -> None:
        super().close()
        for sentinel in self.sentinel_manager.sentinels:
            sentinel.close()


def connect_redis(url: str, *, socket_timeout_s: float = SOCKET_TIMEOUT_S) -> redis.Redis:
    """A client that connects at first use and answers in str."""
    options: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": socket_timeout_s,
        "socket_connect_timeout": CONNECT_TIMEOUT_S,
        # Reconnect once after a stale connection, but do not wait for a second timeout.
        "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    }
    if kind_of(url) == "sentinel":
        return _connect_by_sentinels(url, options)
    return redis.Redis.from_pool(PausingPool.from_url(url, **options))


def is_usable(client: redis.Redis) -> bool:
    return find_fault(client) is None


def find_fault(client: redis.Redis) -> RedisFault | None:
    """Why nothing can be written. A full one, or a replica, would still answer a PING."""
    try:
        client.set(PROBE, "", px=PROBE_MS)
    except (redis.AuthenticationError, redis.exceptions.AuthorizationError):
        return "password_refused"
    except redis.ResponseError as exc:
        is_refusal = str(exc).startswith(("NOAUTH", "WRONGPASS"))
        return "password_refused" if is_refusal else "not_writable"
    except redis.RedisError:
        return "not_reachable"
    return None


def _connect_by_sentinels(url: str, options: dict[str, Any]) -> redis.Redis:
    """The Sentinels are asked at each new connection. One that is away costs a refusal."""
    address, tls = read_sentinels(url), find_tls(url)
    encrypted: dict[str, Any] = {"ssl": True, **tls.for_redis()} if tls else {}
    sentinel = Sentinel(  # type: ignore[no-untyped-call]
        [(host.name, host.port) for host in address.hosts],
        sentinel_kwargs={
            "username": address.own_username,
            "password": address.own_password,
            **options,
            **encrypted,
        },
    )
    pool = PausingSentinelPool(  # type: ignore[no-untyped-call]
        address.master,
        sentinel,
        db=address.database,
        username=address.username,
        password=address.password,
        **options,
        **encrypted,
    )
    return redis.Redis.from_pool(pool)

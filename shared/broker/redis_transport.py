"""kombu's Redis transport, with one client a channel, and able to lose its broker during a job.

kombu makes a client for each command, which takes as long as the command itself.

When kombu closes a channel it returns the unacknowledged tasks to the broker. Without a broker this
fails. On a half-closed connection it raises an `AttributeError`, and Celery ends the worker in the
middle of its other jobs. The tasks need not be returned: the `processing` rows list the work, and
the sweep sends it again.

To return them, a channel that has closed its connections opens another one, and leaves it open.
"""

from __future__ import annotations

import logging
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis

logger = logging.getLogger(__name__)


class QoS(redis.QoS):  # type: ignore[misc]
    def restore_unacked(self, client: Any = None) -> None:
        try:
            super().restore_unacked(client)
        except Exception as exc:
            logger.warning("broker.not_given_back", extra={"error": exc})
            self._delivered.clear()


class OneClient:
    """Keeps the client of a channel for as long as the channel keeps its pool of connections."""

    pool: Any
    _client: Any = None

    def close(self) -> None:
        super().close()  # type: ignore[misc]
        self._disconnect_pools()  # type: ignore[attr-defined]

    def _create_client(self, asynchronous: bool = False) -> Any:
        if asynchronous:  # kombu keeps this one itself
            return super()._create_client(asynchronous)  # type: ignore[misc]
        if self._client is None or self._client.connection_pool is not self.pool:
            self._client = super()._create_client()  # type: ignore[misc]
        return self._client


class Channel(OneClient, redis.Channel):  # type: ignore[misc]
    QoS = QoS


class Transport(redis.Transport):  # type: ignore[misc]
    Channel = Channel


class SentinelChannel(OneClient, redis.SentinelChannel):  # type: ignore[misc]
    QoS = QoS


class SentinelTransport(redis.SentinelTransport):  # type: ignore[misc]
    Channel = SentinelChannel


def register_transport() -> None:
    """Call it before this process connects for the first time. `redis+socket` counts as `redis`."""
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"

"""kombu's Redis transport, made to survive a broker that dies while a job is running.

When kombu closes a channel it returns the unacknowledged tasks to the broker. Without a broker this
fails. On a half-closed connection it raises an `AttributeError`, and Celery ends the worker in the
middle of its other jobs. The tasks need not be returned: the `processing` rows list the work, and
the sweep sends it again.
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


class Channel(redis.Channel):  # type: ignore[misc]
    QoS = QoS


class Transport(redis.Transport):  # type: ignore[misc]
    Channel = Channel


class SentinelChannel(redis.SentinelChannel):  # type: ignore[misc]
    QoS = QoS


class SentinelTransport(redis.SentinelTransport):  # type: ignore[misc]
    Channel = SentinelChannel


def register_transport() -> None:
    """Call it before this process connects for the first time. `redis+socket` counts as `redis`."""
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"

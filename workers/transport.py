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

SCHEMES = ("redis", "rediss")  # `redis+socket` is looked up as `redis`


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


def register_transport() -> None:
    """Call it before this process connects for the first time."""
    for scheme in SCHEMES:
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"

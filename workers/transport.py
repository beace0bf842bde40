"""kombu's Redis transport, for a broker that dies while a job is at work.

When it closes a channel it gives back what was taken and not acknowledged. Without a broker that
fails, and where the connection was half closed before, it fails with an `AttributeError`, which
Celery takes for a defect: the worker ends, in the middle of its other jobs. Nothing needs to be
given back then: the `processing` rows say what is to be done, and the sweep sends it again.
"""

from __future__ import annotations

import logging
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis

logger = logging.getLogger(__name__)

SCHEMES = ("redis", "rediss")  # `redis+socket` is looked up as the first


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
    """Before the first connection of this process."""
    for scheme in SCHEMES:
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"

"""RabbitMQ: how queues are declared there, and a connection that does not wait for ever.

Its queues are classic ones with priorities. Quorum queues keep copies of their tasks on several
machines, but have no priorities before RabbitMQ 4, and two of them since; ours need three. The
copies would be worth little: the `processing` rows in Postgres are the list of the work, and the
sweep sends again what a broker has lost.
"""

from __future__ import annotations

from typing import Any

from amqp.exceptions import RecoverableConnectionError
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES, pyamqp

from shared.broker.address import ANSWER_TIMEOUT_S

HIGHEST_PRIORITY = 2


def make_queue(name: str, consumer_timeout_s: float) -> Queue:
    """Make the declaration of a queue. RabbitMQ refuses (406) a second one that differs.

    Servers before 3.12 have one consumer time-out for all queues, and ignore ours.
    """
    return Queue(
        name,
        durable=True,
        queue_arguments={
            "x-queue-type": "classic",  # whatever the virtual host's default is
            "x-max-priority": HIGHEST_PRIORITY,
            "x-consumer-timeout": round(consumer_timeout_s * 1000),
        },
    )


class _Patient:
    """Waits `ANSWER_TIMEOUT_S` for an answer, and then gives the connection up.

    amqp would wait for ever on a server that hangs. An answer that came later would be taken for
    that of the next question.
    """

    connection: Any

    def wait(
        self, method: Any, callback: Any = None, timeout: Any = None, returns_tuple: bool = False
    ) -> Any:
        limit_s = ANSWER_TIMEOUT_S if timeout is None else timeout
        try:
            return super().wait(method, callback, limit_s, returns_tuple)  # type: ignore[misc]
        except TimeoutError:
            if self.connection is not None:
                self.connection.collect()
            raise RecoverableConnectionError("RabbitMQ did not answer in time.") from None


class Channel(_Patient, pyamqp.Channel):  # type: ignore[misc]
    pass


class Connection(_Patient, pyamqp.Connection):  # type: ignore[misc]
    Channel = Channel


class Transport(pyamqp.Transport):  # type: ignore[misc]
    Connection = Connection


class SSLTransport(pyamqp.SSLTransport):  # type: ignore[misc]
    Connection = Connection


def register_transport() -> None:
    """Call it before this process connects for the first time."""
    TRANSPORT_ALIASES["amqp"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["amqps"] = f"{__name__}:SSLTransport"

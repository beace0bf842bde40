"""The number of waiting tasks in each queue."""

from __future__ import annotations

from collections.abc import Iterable

from amqp.exceptions import NotFound
from celery import Celery
from kombu import Connection, Queue
from kombu.exceptions import OperationalError

from shared.broker.address import kind_of_broker


def find_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int] | None:
    """The number of waiting tasks by queue; None when the broker does not answer."""
    kombu_queues = [app.amqp.queues[name] for name in queues]
    with app.pool.acquire(block=True) as connection:  # as senders do: to connect takes 2 ms of CPU
        may_be_stale = connection.connected and kind_of_broker(app) == "rabbitmq"
        counts = _ask(connection, kombu_queues)
        if counts is None and may_be_stale:  # RabbitMQ was restarted since it was last used
            counts = _ask(connection, kombu_queues)
        return counts


def _ask(connection: Connection, queues: Iterable[Queue]) -> dict[str, int] | None:
    try:
        connection.ensure_connection(max_retries=0)
        return {queue.name: _count(connection, queue) for queue in queues}
    except (OperationalError, *connection.connection_errors, *connection.channel_errors):
        connection.collect()  # it stays in the pool, and connects anew
        return None


def _count(connection: Connection, queue: Queue) -> int:
    """RabbitMQ is only asked: workers and senders declare queues, each with all its arguments."""
    if connection.transport.driver_type != "amqp":
        return int(queue(connection.default_channel).queue_declare().message_count)
    with connection.channel() as channel:  # RabbitMQ closes it when the queue is missing
        try:
            return int(queue(channel).queue_declare(passive=True).message_count)
        except NotFound:  # nobody has declared it yet
            return 0


def count_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int]:
    """The number of waiting tasks by queue; 0 for each when the broker does not answer."""
    return find_waiting(app, queues) or dict.fromkeys(queues, 0)

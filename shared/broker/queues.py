"""The number of waiting tasks in each queue."""

from __future__ import annotations

from collections.abc import Iterable

from celery import Celery
from kombu.exceptions import OperationalError


def find_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int] | None:
    """The number of waiting tasks by queue; None when the broker does not answer."""
    with app.pool.acquire(block=True) as connection:  # as senders do: to connect takes 2 ms of CPU
        try:
            channel = connection.ensure_connection(max_retries=0).default_channel
            return {name: channel.queue_declare(queue=name).message_count for name in queues}
        except (OperationalError, *connection.connection_errors):
            connection.close()  # it stays in the pool, and connects anew
            return None


def count_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int]:
    """The same; every queue counts 0 when the broker does not answer."""
    return find_waiting(app, queues) or dict.fromkeys(queues, 0)

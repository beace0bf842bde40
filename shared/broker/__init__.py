"""The part of Celery that senders and workers share: task names, queues, application, sending.

Tasks carry ids, never text. A task may be lost or delivered twice: the `processing` row in
Postgres describes the job, and the sweep sends a lost task again.
"""

from shared.broker.address import broker_address
from shared.broker.celery_app import VISIBILITY_TIMEOUT_S, make_celery
from shared.broker.queues import count_waiting, find_waiting
from shared.broker.sending import (
    LONG_QUEUE,
    send_again,
    send_check,
    send_deliveries,
    send_due,
    send_embedding,
)
from shared.broker.tasks import (
    BACK_UP,
    CATCH_UP,
    CHECK_MODEL,
    DELIVER,
    EMBED,
    QUEUES,
    RETIRE,
    ROUTES,
    SWEEP,
)
from shared.broker.workers import Worker, find_workers

__all__ = [
    "BACK_UP",
    "CATCH_UP",
    "CHECK_MODEL",
    "DELIVER",
    "EMBED",
    "LONG_QUEUE",
    "QUEUES",
    "RETIRE",
    "ROUTES",
    "SWEEP",
    "VISIBILITY_TIMEOUT_S",
    "Worker",
    "broker_address",
    "count_waiting",
    "find_waiting",
    "find_workers",
    "make_celery",
    "send_again",
    "send_check",
    "send_deliveries",
    "send_due",
    "send_embedding",
]

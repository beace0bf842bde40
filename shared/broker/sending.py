"""Send tasks to the workers, after the commit of the rows that they are about."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from celery import Celery
from kombu.exceptions import OperationalError

from shared.broker.address import kind_of_broker
from shared.broker.queues import count_waiting
from shared.broker.tasks import (
    CHECK_MODEL,
    DELIVER,
    EMBED,
    PRIORITIES,
    ROUTES,
)
from shared.metrics.counters import SEND_FAILURES
from shared.models import Due
from shared.models.job_kinds import DERIVATIONS
from shared.tracing import trace_headers

LONG_QUEUE = 1000  # tasks; jobs of a backlog are not sent again into a queue of this length

logger = logging.getLogger(__name__)


def send_due(app: Celery, due: Iterable[Due]) -> None:
    """Send claimed jobs. The sweep sends later what cannot be sent now.

    It stops at the first failure, so a broker that is down costs the caller only one attempt.
    """
    priorities = PRIORITIES[kind_of_broker(app)]
    for job in due:
        try:
            app.send_task(
                DERIVATIONS[job.kind].task,
                args=[job.job_id],
                # what Flower shows
                argsrepr=f"{job.kind} {job.job_id} of conversation {job.conversation_id}",
                priority=priorities[job.urgency],
                headers=trace_headers(),
            )
        except OperationalError:
            SEND_FAILURES.labels(kind=job.kind).inc()
            logger.warning("task.not_sent", extra={"kind": job.kind, "job_id": job.job_id})
            return


def send_again(app: Celery, due: Iterable[Due]) -> None:
    """Send jobs that may still wait in their queues.

    Jobs of a backlog are sent only into short queues: in a long one they would pile up.
    """
    due = list(due)
    send_due(app, (job for job in due if job.urgency != "backlog"))
    if backlog := [job for job in due if job.urgency == "backlog"]:
        queues = {job.kind: DERIVATIONS[job.kind].queue for job in backlog}
        lengths = count_waiting(app, set(queues.values()))
        send_due(app, (job for job in backlog if lengths[queues[job.kind]] < LONG_QUEUE))


def send_check(app: Celery) -> None:
    """Send a check of memory's model, before the jobs of the backlog."""
    priority = PRIORITIES[kind_of_broker(app)]["live"]
    try:
        app.send_task(CHECK_MODEL, priority=priority, headers=trace_headers())
    except OperationalError:
        SEND_FAILURES.labels(kind="check").inc()


def send_embedding(app: Celery) -> None:
    """Send a task that embeds all texts without a vector, unless one waits in the queue already."""
    queue = ROUTES[EMBED]["queue"]
    if count_waiting(app, [queue])[queue]:
        return
    try:
        app.send_task(EMBED, headers=trace_headers())
    except OperationalError:
        SEND_FAILURES.labels(kind="embedding").inc()


def send_deliveries(app: Celery, webhook_ids: Iterable[int]) -> None:
    """Send a task for each webhook, into a short queue only. The sweep sends the others later."""
    webhook_ids = list(webhook_ids)
    queue = ROUTES[DELIVER]["queue"]
    if not webhook_ids or count_waiting(app, [queue])[queue] >= LONG_QUEUE:
        return
    try:
        for webhook_id in webhook_ids:
            app.send_task(DELIVER, args=[webhook_id], headers=trace_headers())
    except OperationalError:
        SEND_FAILURES.labels(kind="webhook").inc()

"""Where the sending side and the task side meet: task names, queues, routes, transport settings.

Tasks carry ids only. Nothing depends on a task being delivered once, or at all: the
`processing` row says what is to be done, and the sweep sends again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from celery import Celery
from kombu import Queue
from kombu.exceptions import OperationalError

from shared.metrics import SEND_FAILURES
from shared.models import Due, Kind, Urgency
from shared.settings import Settings

logger = logging.getLogger(__name__)

SUMMARIZE = "memory.summarize"
EXTRACT_FACTS = "facts.extract"
WRITE_EPISODE = "memory.write_episode"
WRITE_TITLE = "conversations.write_title"
EMBED = "memory.embed"
SWEEP = "maintenance.sweep"
CATCH_UP = "maintenance.catch_up"
RETIRE = "maintenance.retire"

TASK_OF_KIND: dict[Kind, str] = {
    "summary": SUMMARIZE,
    "episode": WRITE_EPISODE,
    "facts": EXTRACT_FACTS,
    "title": WRITE_TITLE,
}

ROUTES = {
    SUMMARIZE: {"queue": "summaries"},
    EXTRACT_FACTS: {"queue": "facts"},
    WRITE_EPISODE: {"queue": "episodes"},
    WRITE_TITLE: {"queue": "summaries"},  # one short call a conversation: no queue of its own
    EMBED: {"queue": "embeddings"},
    SWEEP: {"queue": "maintenance"},
    CATCH_UP: {"queue": "maintenance"},
    RETIRE: {"queue": "maintenance"},
}
QUEUES = ("summaries", "episodes", "facts", "embeddings", "maintenance")

# A worker takes the smallest number that waits in any of its queues. What has none (the sweep)
# counts as 0: it is there to help the others.
PRIORITY: dict[Urgency, int] = {"lost": 0, "live": 3, "backlog": 9}
LONG_QUEUE = 1000

CATCH_UP_EVERY_S = 60
RETIRE_EVERY_S = 600
VISIBILITY_TIMEOUT_S = 3600


def make_celery(settings: Settings) -> Celery:
    """The application both sides use. Makes no connection."""
    app = Celery("throughline", broker=broker_url(settings), set_as_current=False)
    app.conf.update(
        task_queues=[Queue(name) for name in QUEUES],
        task_create_missing_queues=False,
        task_routes=ROUTES,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        # A connection that has gone stale is made anew below this; waiting once more for a broker
        # that hangs would hold up whoever sends for two time-outs more.
        task_publish_retry_policy={"max_retries": 0, "interval_start": 0, "interval_max": 0.1},
        worker_prefetch_multiplier=1,
        worker_send_task_events=True,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=8,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "priority_steps": sorted(PRIORITY.values()),
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
        },
        timezone="UTC",
        beat_schedule=_beat_schedule(settings),
    )
    return app


def send_due(app: Celery, due: Iterable[Due]) -> None:
    """Send claimed jobs, after the commit. What cannot be sent is left to the sweep.

    With Redis down this costs one attempt: the first failure ends it.
    """
    for job in due:
        try:
            priority = PRIORITY[job.urgency]
            app.send_task(TASK_OF_KIND[job.kind], args=[job.job_id], priority=priority)
        except OperationalError:
            SEND_FAILURES.labels(kind=job.kind).inc()
            logger.warning("task.not_sent", extra={"kind": job.kind, "job_id": job.job_id})
            return


def send_again(app: Celery, due: Iterable[Due]) -> None:
    """Send jobs that may still be in their queues.

    A long backlog is left to shrink: each job that waits in it would be in it many times.
    """
    live = [job for job in due if job.urgency != "backlog"]
    backlog = [job for job in due if job.urgency == "backlog"]
    send_due(app, live)
    if backlog:
        lengths = count_waiting(app, {_queue_of(job) for job in backlog})
        send_due(app, (job for job in backlog if lengths[_queue_of(job)] < LONG_QUEUE))


def count_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int]:
    """How many tasks wait in each queue; none when the broker cannot be asked."""
    return find_waiting(app, queues) or dict.fromkeys(queues, 0)


def find_waiting(app: Celery, queues: Iterable[str]) -> dict[str, int] | None:
    """The same, and None when the broker cannot be asked."""
    with app.connection_for_write() as connection:
        try:
            channel = connection.ensure_connection(max_retries=0).default_channel
            return {name: channel.queue_declare(queue=name).message_count for name in queues}
        except (OperationalError, *connection.connection_errors):
            return None


def send_embedding(app: Celery) -> None:
    """Something waits to be embedded. A task that nobody has taken yet will find it, too."""
    queue = ROUTES[EMBED]["queue"]
    if count_waiting(app, [queue])[queue]:
        return
    try:
        app.send_task(EMBED)
    except OperationalError:
        SEND_FAILURES.labels(kind="embedding").inc()


def broker_url(settings: Settings) -> str:
    """kombu's form of a Redis URL: it spells unix sockets in its own way."""
    url = settings.effective_broker_url
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def _queue_of(job: Due) -> str:
    return ROUTES[TASK_OF_KIND[job.kind]]["queue"]


def _beat_schedule(settings: Settings) -> dict[str, dict[str, object]]:
    """Each run is worth nothing once the next one is due, so it expires: no backlog of sweeps."""
    return {
        "sweep": _every(SWEEP, settings.sweep_every_s),
        "catch-up": _every(CATCH_UP, CATCH_UP_EVERY_S),
        "retire": _every(RETIRE, RETIRE_EVERY_S),
    }


def _every(task: str, seconds: float) -> dict[str, object]:
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}

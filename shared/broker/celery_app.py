"""The Celery application that senders and workers share: transport, delivery, beat's schedule."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from celery import Celery
from kombu import Queue

from shared.broker.tasks import CATCH_UP, PRIORITY, QUEUES, RETIRE, ROUTES, SWEEP
from shared.settings import Settings

CATCH_UP_EVERY_S = 60
RETIRE_EVERY_S = 600
VISIBILITY_TIMEOUT_S = 3600


def make_celery(settings: Settings) -> Celery:
    """The application of one process. It connects at first use."""
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
        # The transport below reconnects by itself. With a broker that hangs, a retry here would
        # hold up the sender for two more time-outs.
        task_publish_retry_policy={"max_retries": 0, "interval_start": 0, "interval_max": 0.1},
        worker_prefetch_multiplier=1,
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
        beat_schedule={
            "sweep": _every(SWEEP, settings.sweep_every_s),
            "catch-up": _every(CATCH_UP, CATCH_UP_EVERY_S),
            "retire": _every(RETIRE, RETIRE_EVERY_S),
        },
    )
    return app


def broker_url(settings: Settings) -> str:
    """The Redis URL in kombu's form, which differs for unix sockets."""
    url = settings.effective_broker_url
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def _every(task: str, seconds: float) -> dict[str, object]:
    """A task expires when the next one is due, so that no backlog builds up."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}

"""The Celery application that senders and workers share: transport, delivery, beat's schedule."""

from __future__ import annotations

from typing import Any

from celery import Celery
from kombu import Queue

from shared.broker.address import ANSWER_TIMEOUT_S, CONNECT_TIMEOUT_S, BrokerAddress, broker_address
from shared.broker.tasks import BACK_UP, CATCH_UP, PRIORITIES, QUEUES, RETIRE, ROUTES, SWEEP
from shared.settings import Settings

CATCH_UP_EVERY_S = 60
RETIRE_EVERY_S = 600
BACK_UP_EVERY_S = 600  # whether one is due is decided by the worker
VISIBILITY_TIMEOUT_S = 3600


def make_celery(settings: Settings) -> Celery:
    """The application of one process. It connects at first use."""
    address = broker_address(settings)
    app = Celery("throughline", broker=address.url, set_as_current=False)
    app.conf.update(
        broker_use_ssl=address.tls,
        task_create_missing_queues=False,
        task_routes=ROUTES,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        result_backend_thread_safe=True,  # there is none; Celery would look for it in each thread
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=8,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        timezone="UTC",
        beat_schedule=_schedule(settings),
        **(_for_rabbitmq() if address.kind == "rabbitmq" else _for_redis(address)),
    )
    return app


def _for_redis(address: BrokerAddress) -> dict[str, Any]:
    from shared.broker.redis_transport import register_transport  # only where it is used

    register_transport()
    return {
        "task_queues": [Queue(name) for name in QUEUES],
        # The transport below reconnects by itself. With a broker that hangs, a retry here would
        # hold up the sender for two more time-outs.
        "task_publish_retry_policy": _retry(0),
        "broker_transport_options": {
            "priority_steps": sorted(PRIORITIES["redis"].values()),
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "socket_timeout": ANSWER_TIMEOUT_S,
            "socket_connect_timeout": CONNECT_TIMEOUT_S,
            "socket_keepalive": True,
            **address.options,
        },
    }


def _for_rabbitmq() -> dict[str, Any]:
    from shared.broker.rabbitmq import make_queue, register_transport  # only where it is used

    register_transport()
    return {
        "task_queues": [make_queue(name, VISIBILITY_TIMEOUT_S) for name in QUEUES],
        # The retry is for connections that RabbitMQ has closed since they were last used.
        "task_publish_retry_policy": _retry(1),
        "broker_connection_timeout": CONNECT_TIMEOUT_S,
        # Of the workers. What only sends is quiet for long, and has keep-alives of TCP.
        "broker_heartbeat": 30,
        "broker_transport_options": {"confirm_publish": True, **_retry(0)},
    }


def _retry(times: int) -> dict[str, float]:
    return {"max_retries": times, "interval_start": 0, "interval_step": 0, "interval_max": 0.1}


def _schedule(settings: Settings) -> dict[str, dict[str, object]]:
    schedule = {
        "sweep": _every(SWEEP, settings.sweep_every_s),
        "catch-up": _every(CATCH_UP, CATCH_UP_EVERY_S),
        "retire": _every(RETIRE, RETIRE_EVERY_S),
    }
    if settings.backup_folder:
        schedule["back-up"] = _every(BACK_UP, BACK_UP_EVERY_S)
    return schedule


def _every(task: str, seconds: float) -> dict[str, object]:
    """A task expires when the next one is due, so that no backlog builds up."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}

"""The Celery application: `celery --app workers.app worker`."""

from __future__ import annotations

import threading
import warnings
from typing import Any

from celery.platforms import SecurityWarning
from celery.signals import beat_init, setup_logging, worker_ready

from shared.metrics.exporter import share_counters
from shared.settings import current_settings

if current_settings().metrics_port:  # the processes of a pool share their counters
    share_counters(current_settings().data_dir)

# Imported after `share_counters`, because these modules import the metrics.
from shared.broker import make_celery
from shared.llm import warm_up
from shared.logs import configure_logging
from workers.base import IdTask
from workers.metrics import serve_metrics
from workers.transport import register_transport

# Celery warns root of unsafe serializers; ours is JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)

register_transport()
app = make_celery(current_settings())
app.task_cls = IdTask
app.conf.include = [
    "workers.tasks.embeddings",
    "workers.tasks.episodes",
    "workers.tasks.facts",
    "workers.tasks.maintenance",
    "workers.tasks.summaries",
    "workers.tasks.titles",
    "workers.tasks.webhooks",
]


# The queues whose tasks call a model.
MODEL_QUEUES = frozenset({"summaries", "episodes", "facts"})


@worker_ready.connect
def _warm_up(sender: Any, **_: object) -> None:
    """Import heavy libraries now, so that the first job need not wait for them."""
    if MODEL_QUEUES & set(sender.app.amqp.queues.consume_from):
        threading.Thread(target=warm_up, args=(current_settings(),), daemon=True).start()


@worker_ready.connect
@beat_init.connect
def _serve_metrics(**_: object) -> None:
    """The pool has been forked by now, so its processes do not hold the port."""
    serve_metrics(current_settings())


@setup_logging.connect
def _logging(loglevel: int | None = None, **_: object) -> None:
    settings = current_settings()
    configure_logging(loglevel or settings.log_level, settings.log_format)

"""The Celery application with its tasks: `python -m workers worker`."""

from __future__ import annotations

import os
import threading
from pkgutil import iter_modules
from typing import Any

from celery.signals import (
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
)

from shared.garbage import keep_loaded_objects
from shared.models.job_kinds import DERIVATIONS
from shared.settings import current_settings
from shared.tracing import start_tracing, stop_tracing
from workers import tasks
from workers.without_tasks import app

# Imported after `workers.without_tasks`, which decides how the metrics are counted.
from shared.llm import warm_up  # isort: skip
from workers.base import IdTask  # isort: skip
from workers.thread_pool import register_pool  # isort: skip

__all__ = ["app"]

register_pool()
app.task_cls = IdTask
app.conf.include = [module.name for module in iter_modules(tasks.__path__, f"{tasks.__name__}.")]


WORKER_NICE = (
    5  # as for the command: web and Postgres first, and still a third of a core under load
)

# The queues whose tasks call a model.
MODEL_QUEUES = frozenset(derivation.queue for derivation in DERIVATIONS.values())


@worker_init.connect
def _yield_to_rounds(**_: object) -> None:
    """Let web and Postgres have the processor first, where they share one with this worker.

    The processes of a pool inherit it.
    """
    os.nice(WORKER_NICE)


@worker_init.connect
def _start_tracing(**_: object) -> None:
    """Before a pool is forked: its processes record, too, and send their spans themselves."""
    settings = current_settings()
    start_tracing(settings.traces_address, "throughline-worker")


@worker_process_shutdown.connect
def _stop_tracing(**_: object) -> None:
    """A process of a pool ends without Python's exit handlers."""
    stop_tracing()


@worker_process_init.connect
def _collect_garbage(**_: object) -> None:
    """Each process of a pool collects its own."""
    keep_loaded_objects()


@worker_ready.connect
def _warm_up_in_background(sender: Any, **_: object) -> None:
    """Import heavy libraries now, so that the first job need not wait for them."""
    calls_models = bool(MODEL_QUEUES & set(sender.app.amqp.queues.consume_from))
    threading.Thread(target=_warm_up, kwargs={"calls_models": calls_models}, daemon=True).start()


def _warm_up(*, calls_models: bool) -> None:
    try:
        if calls_models:
            warm_up(current_settings())
    finally:
        keep_loaded_objects()

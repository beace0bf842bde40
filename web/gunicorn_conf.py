"""gunicorn's settings. Streams are long, so: many threads, few processes."""

from __future__ import annotations

import os
import threading
from typing import Any

from shared.embeddings import check_model
from shared.logs import configure_logging
from shared.settings import current_settings, host_and_port

_settings = current_settings()
check_model(_settings)

bind = host_and_port(_settings.bind, _settings.port)
workers = int(os.environ.get("WEB_CONCURRENCY", "1"))
worker_class = "gthread"
threads = _settings.web_threads
timeout = 60
graceful_timeout = 5
keepalive = 5
control_socket_disable = True
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - heartbeat only
accesslog = None

LOOK_S = 0.2
DRAIN_S = float(os.environ.get("DRAIN_S", "5"))


def post_worker_init(worker: Any) -> None:
    """In each process, once the application is made and requests are answered."""
    from web.app import warm_up_in_background

    configure_logging(_settings.log_level)
    context = worker.wsgi.extensions["throughline"]
    threading.Thread(target=_watch, args=(worker, context.leaving), daemon=True).start()
    warm_up_in_background(worker.wsgi)


def worker_exit(_server: Any, worker: Any) -> None:
    """Replies that nobody is waiting for may still finish, for a while."""
    context = worker.wsgi.extensions["throughline"]
    context.leaving.set()
    context.runner.drain(DRAIN_S)
    context.encoder.stop()
    context.services.close()


def _watch(worker: Any, leaving: threading.Event) -> None:
    """gunicorn cuts streams off without a word when its grace is over: say goodbye before."""
    while worker.alive and not leaving.wait(LOOK_S):
        pass
    leaving.set()

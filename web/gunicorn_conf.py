"""gunicorn's settings: few processes, each with one event loop and many threads."""

from __future__ import annotations

import os
from typing import Any

from web.server.interpreter import favour_event_loop

favour_event_loop()

from shared.embeddings.model_properties import check_model  # noqa: E402
from shared.garbage import keep_loaded_objects, pause_collection  # noqa: E402
from shared.metrics.exporter import forget_gauges, share_counters  # noqa: E402 - see above
from shared.settings import current_settings, host_and_port  # noqa: E402
from shared.tracing import start_tracing, stop_tracing  # noqa: E402

_settings = current_settings()
if _settings.web_concurrency > 1:
    share_counters(_settings.data_dir)

check_model(_settings)

bind = host_and_port(_settings.bind, _settings.port)
workers = _settings.web_concurrency
worker_class = "web.server.worker.WebWorker"
timeout = 60
graceful_timeout = 20  # then gunicorn kills: after requests, replies and the closing of all else
DRAIN_S = 5.0  # for replies that are still written; what they have by then is kept
keepalive = 5
asgi_disconnect_grace_period = 0  # write nothing to a client that has gone
control_socket_disable = True
# gunicorn would believe loopback, whatever TRUSTED_PROXIES says. `requests/client_address.py`
# reads the headers of proxies instead.
forwarded_allow_ips = ""
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - heartbeat only
accesslog = None
logger_class = "web.server.logger.ServerLogger"


def when_ready(_server: Any) -> None:
    """Runs in gunicorn's first process, before it forks web processes."""
    keep_loaded_objects()


def post_fork(_server: Any, _worker: Any) -> None:
    """Runs in each web process, before it loads the application."""
    pause_collection()


def post_worker_init(worker: Any) -> None:
    """Runs in each web process, once it answers requests."""
    from web.app import warm_up_in_background

    start_tracing(_settings.traces_address, "throughline-web")
    warm_up_in_background(worker.wsgi)


def child_exit(_server: Any, worker: Any) -> None:
    """Drop the metrics of a web process that has ended. Runs in gunicorn's first process."""
    forget_gauges(worker.pid)


def worker_exit(_server: Any, worker: Any) -> None:
    """Stop a web process. Its open replies have `DRAIN_S` to finish."""
    context = worker.wsgi.extensions["throughline"]
    context.leaving.set()
    context.runner.drain(DRAIN_S)
    context.encoder.stop()
    context.open_streams.stop()
    context.services.close()
    stop_tracing()

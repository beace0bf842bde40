"""The Celery application of processes that run no tasks: `python -m workers beat`.

Beat and Flower need the names of tasks only. `workers/app.py` adds the tasks, for the workers.
"""

from __future__ import annotations

import sys
import warnings

from celery.platforms import SecurityWarning
from celery.signals import beat_init, setup_logging, worker_ready

from shared.metrics.exporter import share_counters
from shared.settings import current_settings, publish_files, publish_flower_options

if current_settings().metrics_address:  # the processes of a pool share their counters
    share_counters(current_settings().data_dir)

# Imported after `share_counters`, because these modules import the metrics.
from shared.broker.celery_app import make_celery
from shared.garbage import keep_loaded_objects
from shared.logs import configure_logging
from workers.health import report_health
from workers.metrics import serve_metrics

# Celery warns root of unsafe serializers; ours is JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)

publish_files()  # Flower reads its password from the environment, and its other options
if "flower" in sys.argv:
    from workers.flower_pages import lock_metrics

    publish_flower_options(current_settings())
    lock_metrics()
app = make_celery(current_settings())
report_health(current_settings().heartbeat_path)


@worker_ready.connect
@beat_init.connect
def _serve_metrics(**_: object) -> None:
    """The pool has been forked by now, so its processes do not hold the port."""
    serve_metrics(current_settings())


@beat_init.connect
def _collect_garbage(**_: object) -> None:
    keep_loaded_objects()


@setup_logging.connect
def _logging(loglevel: int | None = None, **_: object) -> None:
    settings = current_settings()
    configure_logging(loglevel or settings.log_level, settings.log_format)

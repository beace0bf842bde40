"""The Celery application: `celery --app workers.app worker`."""

from __future__ import annotations

import warnings

from celery.platforms import SecurityWarning
from celery.signals import setup_logging

from shared.broker import make_celery
from shared.logs import configure_logging
from shared.settings import current_settings
from workers.base import IdTask

# It warns root of unsafe serializers; we take JSON only.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = make_celery(current_settings())
app.task_cls = IdTask
app.conf.include = [
    "workers.tasks.embeddings",
    "workers.tasks.episodes",
    "workers.tasks.facts",
    "workers.tasks.maintenance",
    "workers.tasks.summaries",
]


@setup_logging.connect
def _logging(loglevel: int | None = None, **_: object) -> None:
    configure_logging(loglevel or current_settings().log_level)

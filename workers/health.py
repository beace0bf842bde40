"""A file that health checks look at: its age tells whether a worker or beat still does its work.

A worker touches it with each heartbeat (every 2 s), which its main loop sends while it is connected
to the broker. Beat touches it whenever the broker has taken a task (every SWEEP_EVERY_S). Asking
over the broker (`celery inspect ping`) would start a Python process of 150 MB for each check.
"""

from __future__ import annotations

import logging
from pathlib import Path

from celery.signals import after_task_publish, beat_init, heartbeat_sent

logger = logging.getLogger(__name__)


def report_health(path: Path | None) -> None:
    """Touch `path` from now on. Call it before the worker or beat starts. None: do nothing."""
    if path is None:
        return

    def touch(**_: object) -> None:
        try:
            path.touch()
        except OSError as exc:
            logger.warning("health.not_written", extra={"error": type(exc).__name__})

    def touch_when_sent(**_: object) -> None:
        after_task_publish.connect(touch, weak=False)

    heartbeat_sent.connect(touch, weak=False)
    beat_init.connect(touch_when_sent, weak=False)

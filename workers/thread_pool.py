"""Celery's pool of threads, which can be told twice to stop.

At a second SIGTERM Celery ends running jobs as it would end processes. A thread cannot be ended:
its job goes on for as long as the worker waits, and the sweep sends it again if that is too short.
"""

from __future__ import annotations

from typing import Any

from celery import concurrency
from celery.concurrency import thread


class ApplyResult(thread.ApplyResult):  # type: ignore[misc]
    def terminate(self, _signal: int) -> None:
        """Leave the job alone."""


class TaskPool(thread.TaskPool):  # type: ignore[misc]
    def on_apply(self, *args: Any, **kwargs: Any) -> ApplyResult:
        return ApplyResult(super().on_apply(*args, **kwargs).f)

    def terminate_job(self, _pid: int, _signal: int | None = None) -> None:
        """Leave the job alone."""


def register_pool() -> None:
    """Call it before the worker chooses its pool (`--pool threads`)."""
    concurrency.ALIASES["threads"] = f"{__name__}:TaskPool"

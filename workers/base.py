"""The base class of all tasks: timing, log fields and errors."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task

from shared.errors import PermanentError, TransientError
from shared.logs import bound_fields
from shared.logs.tracebacks import describe
from shared.metrics.counters import TASK_S

logger = logging.getLogger(__name__)


class TaskCrashedError(PermanentError):
    """A task ended with an unexpected error. The message names its type only."""


class IdTask(Task):  # type: ignore[misc]
    """Measures each task, and names it on its log lines.

    A passing fault of the database or Redis is logged in one line: the sweep sends the job again.
    `shared/broker` configures all tasks to acknowledge late and to keep no result.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with bound_fields(task=self.name, task_id=self.request.id), TASK_S.labels(self.name).time():
            try:
                return super().__call__(*args, **kwargs)
            except TransientError as exc:
                logger.warning("task.put_off", extra={"code": exc.code})
                return None
            except Exception as exc:
                # Celery logs the error that it is given, and sends it to Flower.
                logger.exception("task.crashed")
                raise TaskCrashedError(describe(exc)) from None

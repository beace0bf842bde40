"""What all tasks share."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from prometheus_client import Histogram

from shared.errors import PermanentError, TransientError
from shared.logs import bound_fields
from shared.logs.tracebacks import describe

logger = logging.getLogger(__name__)

TASK_S = Histogram("throughline_task_seconds", "Running time of tasks.", ["task"])


class TaskCrashedError(PermanentError):
    """A task ended with an error that nobody foresaw. Only its type is told."""


class IdTask(Task):  # type: ignore[misc]
    """Timed, and named on its log lines. The sweep repeats a job after a passing fault."""

    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with bound_fields(task=self.name, task_id=self.request.id), TASK_S.labels(self.name).time():
            try:
                return super().__call__(*args, **kwargs)
            except TransientError as exc:
                logger.warning("task.put_off", extra={"code": exc.code})
                return None
            except Exception as exc:
                # Celery sends the error of a failed task to Flower, and logs it.
                logger.exception("task.crashed")
                raise TaskCrashedError(describe(exc)) from None

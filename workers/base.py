"""The base class of all tasks: timing, log fields and errors."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task

from shared.errors import PermanentError, TransientError
from shared.logs import bound_fields
from shared.logs.tracebacks import describe
from shared.metrics.counters import TASK_S
from shared.tracing import entry_span

logger = logging.getLogger(__name__)


class TaskCrashedError(PermanentError):
    """A task ended with an unexpected error. The message names its type only."""


class IdTask(Task):  # type: ignore[misc]
    """Measures and traces each task, and names it on its log lines.

    A passing fault of the database or Redis is logged in one line: the sweep sends the job again.
    `shared/broker` configures all tasks to acknowledge late and to keep no result.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with (
            entry_span("task", self.name, self.request.headers or {}) as span,
            bound_fields(task=self.name, task_id=self.request.id, **span.log_fields),
            TASK_S.labels(self.name).time(),
        ):
            span.note("throughline.task_id", str(self.request.id))
            try:
                return super().__call__(*args, **kwargs)
            except TransientError as exc:
                span.fail(exc.code)
                logger.warning("task.put_off", extra={"code": exc.code})
                return None
            except Exception as exc:
                # Celery logs the error that it is given, and sends it to Flower.
                logger.exception("task.crashed")
                raise TaskCrashedError(describe(exc)) from None

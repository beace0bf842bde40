"""Ask through the broker which workers are running."""

from __future__ import annotations

from dataclasses import dataclass

from celery import Celery
from kombu.exceptions import OperationalError


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker that answered."""

    name: str
    running: int  #: tasks that it is working on


def find_workers(app: Celery, timeout_s: float) -> list[Worker] | None:
    """Ask all Celery workers what they work on, and take what they answer within `timeout_s`.

    Empty: none answered. None: the broker cannot be reached.
    """
    with app.connection_for_write() as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0)
            inspection = app.control.inspect(timeout=timeout_s, connection=connection)
            answers: dict[str, list[object]] = inspection.active() or {}
        except (OperationalError, *connection.connection_errors):
            return None
    return [Worker(name=name, running=len(tasks)) for name, tasks in sorted(answers.items())]

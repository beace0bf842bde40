"""The task that makes a backup. Beat sends it where BACKUP_FOLDER is set."""

from __future__ import annotations

from celery.signals import worker_shutting_down

from shared.broker.tasks import BACK_UP
from shared.maintenance.backup import postgres_tools, schedule
from shared.services import current_services
from workers.app import app


@app.task(name=BACK_UP, send_events=False)
def back_up() -> None:
    schedule.back_up(current_services())


@worker_shutting_down.connect
def _break_off(**_: object) -> None:
    """A dump may take longer than a worker has to stop. The next start makes the backup."""
    postgres_tools.interrupt()

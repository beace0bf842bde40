"""The site in one look, for operators: what a monitor would ask, without a monitor."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from datetime import UTC, datetime

from flask import Blueprint
from pydantic import Field

from shared.db import Database
from shared.ephemeral.sweep_mark import find_age_s
from shared.policy.backups import is_overdue
from shared.settings import Settings
from shared.store import audit
from shared.store.audit import AuditFilter
from shared.store.upkeep import backups
from web.api.answers import Answer, Instant
from web.api.operation import operation
from web.operations.alerts import Alert, Severity, State, list_alerts
from web.process.context import web_context
from web.requests.callers import needs
from web.views.operations import refuse_others

blueprint = Blueprint("operations_status", __name__, url_prefix="/operations/status")
blueprint.before_request(refuse_others)


class NumberAnswer(Answer):
    metric: str = Field(description="Its name in Prometheus.")
    labels: dict[str, str]
    value: float


class AlertAnswer(Answer):
    """An alert of deploy/prometheus, as it is at this moment."""

    alert: str
    state: State = Field(description="`unknown`: the number cannot be read now.")
    severity: Severity
    metric: str = Field(description="What Prometheus tells it by.")
    labels: dict[str, str]
    value: float | None = Field(
        description="Of several the largest; of `SweepSilent` seconds since the last sweep."
    )
    limit: float | None = Field(description="More is wrong. Null: 0 is wrong.")


class BackupAnswer(Answer):
    made_at: Instant | None = Field(
        description="When the last one was begun that was found to be whole. Null: never."
    )
    byte_count: int | None
    has_secrets: bool | None
    failed_at: Instant | None = Field(description="When one failed since then. Null: none did.")
    failure: str | None = Field(description="Why it failed, as the log says it.")
    is_overdue: bool = Field(description="By BACKUP_FOLDER's schedule there should be a newer one.")


class StatusAnswer(Answer):
    alerts: list[AlertAnswer] = Field(description="What is wrong first.")
    reason: str | None = Field(description="Why this process is not ready. Null: it is.")
    schema_revision: str | None
    swept_s: float | None = Field(
        description="Since the last sweep. Null: longer than an hour, or Redis is away."
    )
    free_bytes: int = Field(description="On the disk of this process's DATA_DIR.")
    erased_at: Instant | None = Field(
        description="When a user's data was last erased. Null: never, as far as the log goes."
    )
    backup: BackupAnswer | None = Field(description="Null: Postgres cannot be asked.")
    numbers: list[NumberAnswer] = Field(
        description="What waits, and whether the services answer, as `/metrics` tells it."
    )


@blueprint.get("")
@needs("operate")
@operation()
def show_status() -> StatusAnswer:
    """Show the site in one look: schema, sweep, disk, last backup, what waits.

    It answers without Postgres.
    """
    context = web_context()
    services = context.services
    readiness = context.readiness.read()
    numbers = context.backlog.list_numbers()
    swept_s = find_age_s(services.redis)
    database = services.database if readiness.can_read else None
    return StatusAnswer(
        alerts=[_alert_answer(alert) for alert in list_alerts(numbers, swept_s)],
        reason=readiness.reason,
        schema_revision=readiness.revision,
        swept_s=swept_s,
        free_bytes=shutil.disk_usage(services.settings.data_dir).free,
        erased_at=_find_last_erasure(database) if database else None,
        backup=_find_last_backup(database, services.settings) if database else None,
        numbers=[NumberAnswer(**asdict(number)) for number in numbers],
    )


def _alert_answer(alert: Alert) -> AlertAnswer:
    return AlertAnswer(**asdict(alert.rule), state=alert.state, value=alert.value)


def _find_last_erasure(database: Database) -> datetime | None:
    with database.upkeep() as connection:
        events = audit.list_events(connection, AuditFilter(action="user.delete"), 1)
    return events[0].at if events else None


def _find_last_backup(database: Database, settings: Settings) -> BackupAnswer:
    with database.upkeep() as connection:
        backup, failure = backups.find_last(connection)
    made_at = backup.begun_at if backup else None
    return BackupAnswer(
        made_at=made_at,
        byte_count=backup.byte_count if backup else None,
        has_secrets=backup.has_secrets if backup else None,
        failed_at=failure.ended_at if failure else None,
        failure=failure.reason if failure else None,
        is_overdue=bool(settings.backup_folder) and is_overdue(datetime.now(UTC), made_at),
    )

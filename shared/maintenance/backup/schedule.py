"""Backups by schedule: one a day into BACKUP_FOLDER, of which the newest BACKUP_KEEP stay."""

from __future__ import annotations

import logging
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from shared.db import Database
from shared.maintenance.backup import folder as files
from shared.maintenance.backup.backup_faults import BackupError, folder_faults
from shared.maintenance.backup.writing import lock_backups, write_backup
from shared.policy.backups import choose_expired, is_due
from shared.services import Services
from shared.settings import Settings
from shared.store.upkeep import backups

GROWTH = 1.25  # of the room that is asked for, over the backup before

logger = logging.getLogger(__name__)


def back_up(services: Services) -> None:
    """Make a backup if one is due. A failure is logged and noted, and leaves earlier ones alone."""
    parent = services.settings.backup_folder
    if parent is None:
        return
    now = datetime.now(UTC)
    try:
        with lock_backups(services.settings):
            if _is_due(services, parent, now):
                _make(services, parent, now)
    except BackupError as exc:
        if exc.reason in {"busy", "interrupted"}:
            logger.info("backup.put_off", extra={"reason": exc.reason})
            return
        logger.error("backup.failed", extra={"reason": exc.reason})  # noqa: TRY400 - a reason says it
        with services.database.upkeep() as connection:
            backups.note_failed(connection, now, exc.reason)


def _is_due(services: Services, parent: Path, now: datetime) -> bool:
    with services.database.upkeep() as connection:
        _, failed = backups.find_last(connection)
    names = files.list_names(parent)
    made_at = files.time_of(names[-1]) if names else None
    return is_due(now, made_at, failed.ended_at if failed else None)


def _make(services: Services, parent: Path, now: datetime) -> None:
    settings = services.settings
    with folder_faults():
        files.remove_partial(parent)
        _check_room(settings, parent)
    passphrase = settings.backup_passphrase.get_secret_value()
    backup = write_backup(settings, parent, passphrase, now)
    with services.database.upkeep() as connection:
        backups.note_made(connection, backup.record)
    record = backup.record
    logger.info(
        "backup.made", extra={"bytes": record.byte_count, "with_secrets": record.has_secrets}
    )
    with folder_faults():
        for name in choose_expired(files.list_names(parent), settings.backup_keep):
            files.remove(parent / name)


def _check_room(settings: Settings, parent: Path) -> None:
    """A disk that a backup fills may be the one that Postgres writes to."""
    if not parent.is_dir():
        raise BackupError("no_folder", f"There is no folder {parent}.")
    names = files.list_names(parent)
    if names:
        needed = round(files.count_bytes(parent / names[-1]) * GROWTH)
    else:
        database = Database(settings.effective_migration_url, 1)
        with closing(database), database.transaction() as connection:
            needed = backups.count_bytes(connection)
    free = shutil.disk_usage(parent).free
    if free < needed:
        raise BackupError("no_room", f"{parent} has {free} bytes free, a backup needs {needed}.")

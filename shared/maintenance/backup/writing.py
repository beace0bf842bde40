"""Write a backup and read it back, one at a time on a site."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from shared.db import Database, PgConnection
from shared.embeddings.model_properties import model_name
from shared.maintenance.backup import folder as files
from shared.maintenance.backup import postgres_tools
from shared.maintenance.backup.backup_faults import BackupError, folder_faults
from shared.maintenance.backup.folder import DUMP, SECRETS, Checksums, Manifest
from shared.maintenance.backup.sealing import seal, unseal
from shared.maintenance.backup.site_secrets import read_secrets
from shared.settings import Settings
from shared.store.upkeep import backups, schema
from shared.store.upkeep.backups import MadeBackup

BUSY = "Another backup or restore of this site is under way."
NO_RIGHT = (
    "The role in MIGRATION_DATABASE_URL does not see all rows. "
    "Let a superuser give it the right: ALTER ROLE … BYPASSRLS."
)


@dataclass(frozen=True, kw_only=True)
class Backup:
    folder: Path
    manifest: Manifest
    record: MadeBackup


@contextmanager
def lock_backups(settings: Settings) -> Iterator[None]:
    """Lock backups and restores of this database. Raises `BackupError` while another one runs."""
    database = Database(settings.effective_migration_url, 1)
    with closing(database), database.transaction() as connection:
        if not backups.try_lock(connection):
            raise BackupError("busy", BUSY)
        yield


def write_backup(settings: Settings, parent: Path, passphrase: str, now: datetime) -> Backup:
    """Write the whole site into a new folder below `parent`, and read it back.

    An empty passphrase leaves the secrets out. The folder has its name once it was found to be
    whole. The caller holds the lock. Raises `BackupError`; then nothing is left of it.
    """
    target = parent / files.name_at(now)
    partial = target.with_name(target.name + files.PARTIAL)
    try:
        with folder_faults():
            partial.mkdir(mode=0o700)
            manifest = _write(settings, partial, passphrase, now)
            files.sync(*partial.iterdir(), partial)
            _verify(partial, passphrase)
            partial.rename(target)
            files.sync(parent)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    record = MadeBackup(
        begun_at=now, byte_count=files.count_bytes(target), has_secrets=manifest.has_secrets
    )
    return Backup(folder=target, manifest=manifest, record=record)


def check_sees_all(connection: PgConnection) -> None:
    """Raises `BackupError` if row-level security hides rows from the role of this connection."""
    if not backups.sees_all_rows(connection):
        raise BackupError("no_right", NO_RIGHT)


def _write(settings: Settings, folder: Path, passphrase: str, now: datetime) -> Manifest:
    url = settings.effective_migration_url
    if passphrase:
        (folder / SECRETS).write_bytes(seal(read_secrets(settings), passphrase))
    with closing(Database(url, 1)) as owner, owner.transaction() as connection:
        snapshot = backups.begin_snapshot(connection)
        check_sees_all(connection)
        rows, byte_count = backups.count_rows(connection), backups.count_bytes(connection)
        revision = schema.find_revision(connection)
        postgres_tools.dump(url, snapshot, folder / DUMP)
    paths = sorted(folder.iterdir())
    for path in paths:
        path.chmod(0o600)
    manifest = Manifest(
        made_at=now.isoformat(timespec="seconds"),
        schema_revision=revision or "",
        embedding_model=model_name(settings),
        rows=rows,
        database_bytes=byte_count,
        sha256=Checksums.model_validate({path.name: files.checksum(path) for path in paths}),
    )
    manifest.write(folder)
    return manifest


def _verify(folder: Path, passphrase: str) -> None:
    """Read it as `restore` would. Raises `BackupError`."""
    manifest = files.read_manifest(folder)
    postgres_tools.read_through(folder / DUMP)
    if manifest.has_secrets:
        unseal(folder / SECRETS, passphrase)

"""The folder of one backup: its files, the manifest that tells whether they are whole, its name."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from shared.maintenance.backup.backup_faults import BackupError

MANIFEST = "manifest.json"
DUMP = "database.dump"
SECRETS = "secrets.json"
FORMAT = 1
PARTIAL = ".partial"  # the name's end while it is written or removed
_NAME = "throughline-%Y%m%d-%H%M%S"
_NAMED = re.compile(r"throughline-\d{8}-\d{6}")


class Manifest(BaseModel):
    format: int = FORMAT
    made_at: str  # UTC
    schema_revision: str
    embedding_model: str
    rows: dict[str, int]
    sha256: dict[str, str]  # by file

    @property
    def has_secrets(self) -> bool:
        return SECRETS in self.sha256

    def write(self, folder: Path) -> None:
        (folder / MANIFEST).write_text(self.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest. Raises `BackupError` if this is no backup, or is not whole."""
    try:
        manifest = Manifest.model_validate(json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError, ValidationError) as exc:
        raise BackupError(
            "not_whole", f"{folder} is no backup: {MANIFEST} is missing or unreadable."
        ) from exc
    if manifest.format != FORMAT:
        raise BackupError(
            "not_whole",
            f"{folder} was written by a newer version. Bring this one up to date.",
        )
    for name, expected in manifest.sha256.items():
        if not (folder / name).is_file() or checksum(folder / name) != expected:
            raise BackupError(
                "not_whole", f"{folder}: {name} is missing or damaged. Nothing was changed."
            )
    return manifest


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def count_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def name_at(now: datetime) -> str:
    return now.strftime(_NAME)


def time_of(name: str) -> datetime:
    return datetime.strptime(name, _NAME).replace(tzinfo=UTC)


def list_names(parent: Path) -> list[str]:
    """The backups in a folder, oldest first. What else is there does not count."""
    return sorted(
        path.name
        for path in parent.glob("throughline-*")
        if _NAMED.fullmatch(path.name) and (path / MANIFEST).is_file()
    )


def sync(*paths: Path) -> None:
    """Write these files and folders to the disk, so that a power cut does not change them."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(folder: Path) -> None:
    """Remove a backup. Its name goes first, so that a half of it is never taken for a backup."""
    partial = folder.with_name(folder.name + PARTIAL)
    folder.rename(partial)
    shutil.rmtree(partial)


def remove_partial(parent: Path) -> None:
    """Remove backups that were broken off. Call it while nobody writes a backup."""
    for path in parent.glob(f"throughline-*{PARTIAL}"):
        if _NAMED.fullmatch(path.name.removesuffix(PARTIAL)):
            shutil.rmtree(path)

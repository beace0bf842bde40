"""The folder of one backup: its files, the manifest that tells whether they are whole, its name."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from shared.maintenance.backup.backup_faults import BackupError
from shared.maintenance.backup.described_files import Described, open_regular, read_described

MANIFEST = "manifest.json"
DUMP = "database.dump"
SECRETS = "secrets.json"
PARTIAL = ".partial"  # the name's end while it is written or removed
_NAME = "throughline-%Y%m%d-%H%M%S"
_NAMED = re.compile(r"throughline-\d{8}-\d{6}")
_MAX_BYTES = 65_536  # of the manifest

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
KindOfRow = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
Count = Annotated[int, Field(ge=0, lt=2**63)]


class Checksums(Described):
    """The checksums of a backup's files. It has no others."""

    dump: Sha256 = Field(alias="database.dump")
    secrets: Sha256 | None = Field(None, alias="secrets.json")


class Manifest(Described):
    format: Literal[1] = 1
    made_at: Annotated[str, StringConstraints(max_length=40)]  # UTC
    schema_revision: Annotated[str, StringConstraints(pattern=r"^[0-9]{4}$")]
    embedding_model: Annotated[str, StringConstraints(max_length=200)]
    rows: Annotated[dict[KindOfRow, Count], Field(max_length=40)]
    database_bytes: Count  # on the disk, with indexes
    sha256: Checksums

    @property
    def has_secrets(self) -> bool:
        return self.sha256.secrets is not None

    def write(self, folder: Path) -> None:
        text = self.model_dump_json(indent=2, by_alias=True, exclude_none=True)
        (folder / MANIFEST).write_text(text + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest. Raises `BackupError` if this is no backup, or is not whole."""
    try:
        manifest = read_described(Manifest, folder / MANIFEST, max_bytes=_MAX_BYTES)
    except (OSError, ValueError) as exc:
        raise BackupError(
            "not_whole",
            f"{folder} is no backup: {MANIFEST} is missing, damaged, or of another version. "
            "Nothing was changed.",
        ) from exc
    for name, expected in manifest.sha256.model_dump(by_alias=True, exclude_none=True).items():
        if _find_checksum(folder / name) != expected:
            raise BackupError(
                "not_whole", f"{folder}: {name} is missing or damaged. Nothing was changed."
            )
    return manifest


def checksum(path: Path) -> str:
    """Raises `OSError` for what is no regular file."""
    with open(open_regular(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _find_checksum(path: Path) -> str | None:
    try:
        return checksum(path)
    except OSError:
        return None


def count_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def name_at(now: datetime) -> str:
    return now.strftime(_NAME)


def time_of(name: str) -> datetime:
    return datetime.strptime(name, _NAME).replace(tzinfo=UTC)


def list_names(parent: Path) -> list[str]:
    """The backups in a folder, oldest first. Links and what else is there do not count."""
    return sorted(
        path.name
        for path in parent.glob("throughline-*")
        if _NAMED.fullmatch(path.name) and not path.is_symlink() and (path / MANIFEST).is_file()
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
        if not _NAMED.fullmatch(path.name.removesuffix(PARTIAL)):
            continue
        if path.is_symlink() or not path.is_dir():
            path.unlink()
        else:
            shutil.rmtree(path)

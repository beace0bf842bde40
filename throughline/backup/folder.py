"""The folder of one backup: its files, and the manifest that tells whether they are whole."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

from shared.maintenance.commands import CommandError

MANIFEST = "manifest.json"
DUMP = "database.dump"
SECRETS = "secrets.json"
FORMAT = 1


class Manifest(BaseModel):
    format: int = FORMAT
    made_at: str  # UTC
    schema_revision: str
    embedding_model: str
    rows: dict[str, int]
    sha256: dict[str, str]  # by file

    def write(self, folder: Path) -> None:
        (folder / MANIFEST).write_text(self.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Raises `CommandError` for what is no backup, or not whole."""
    try:
        manifest = Manifest.model_validate(json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError, ValidationError) as exc:
        raise CommandError(f"{folder} is no backup: {MANIFEST} is missing or unreadable.") from exc
    if manifest.format != FORMAT:
        raise CommandError(f"{folder} was written by a newer version. Bring this one up to date.")
    for name, expected in manifest.sha256.items():
        if not (folder / name).is_file() or checksum(folder / name) != expected:
            raise CommandError(f"{folder}: {name} is missing or damaged. Nothing was changed.")
    return manifest


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

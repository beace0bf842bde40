"""What tells one model's files from another's."""

from __future__ import annotations

import hashlib
from pathlib import Path

from shared.embeddings.folder import list_module_folders, list_weights

# Beside the weights, vocabulary and configuration decide a vector.
CONFIGURATION = ("*.json", "*.txt", "*.model")


def fingerprint(folder: Path) -> str:
    """sha256 in hex over the names and contents of the files that decide a vector."""
    digest = hashlib.sha256()
    for path in _deciding_files(folder):
        digest.update(f"{path.relative_to(folder).as_posix()}\n{file_sha256(path)}\n".encode())
    return digest.hexdigest()


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _deciding_files(folder: Path) -> list[Path]:
    places = {folder, *list_module_folders(folder)}
    texts = {path for place in places for kind in CONFIGURATION for path in place.glob(kind)}
    return sorted({*texts, *list_weights(folder)})

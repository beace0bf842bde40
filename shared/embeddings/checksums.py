"""Checksums of model files."""

from __future__ import annotations

import hashlib
from pathlib import Path

from shared.embeddings.model_folder import list_module_folders, list_weights

# The vectors depend on vocabulary and configuration as well as on the weights.
CONFIGURATION = ("*.json", "*.txt", "*.model")


def model_checksum(folder: Path) -> str:
    """sha256 in hex over the names and contents of all files that the vectors depend on."""
    digest = hashlib.sha256()
    for path in _relevant_files(folder):
        digest.update(f"{path.relative_to(folder).as_posix()}\n{file_sha256(path)}\n".encode())
    return digest.hexdigest()


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _relevant_files(folder: Path) -> list[Path]:
    folders = {folder, *list_module_folders(folder)}
    texts = {path for root in folders for pattern in CONFIGURATION for path in root.glob(pattern)}
    return sorted({*texts, *list_weights(folder)})

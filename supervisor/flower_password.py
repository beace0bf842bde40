"""Flower's password, made once where none is set."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_make_password(data_folder: Path) -> str:
    """`user:password`, kept in DATA_DIR for this account's eyes only."""
    path = data_folder / "flower-password"
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        made = f"admin:{secrets.token_urlsafe(12)}"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w") as file:
        file.write(made + "\n")
    return made

"""Flower's password: made once, if none is set."""

from __future__ import annotations

import secrets
from pathlib import Path

from shared.local_secrets import read_or_make_secret
from shared.settings import Settings


def read_or_make_password(data_folder: Path) -> str:
    """`user:password`, from a file in DATA_DIR that only this account can read."""
    return read_or_make_secret(_path(data_folder), lambda: f"admin:{secrets.token_urlsafe(12)}")


def password_hint(settings: Settings, data_folder: Path) -> str:
    """Where a person finds the password."""
    return "as FLOWER_BASIC_AUTH says" if settings.flower_basic_auth else f"in {_path(data_folder)}"


def _path(data_folder: Path) -> Path:
    return data_folder / "flower-password"

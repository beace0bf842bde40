"""Secrets that the site makes itself: once, kept in a file that only its owner can read."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from shared.settings import Settings

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

#: LOCAL_TOKEN=off: the site asks for no token.
OFF = "off"


def find_local_token(settings: Settings, data_dir: Path | None = None) -> str | None:
    """LOCAL_TOKEN, or a token that is made at the first start. None: no token is needed.

    `data_dir` replaces DATA_DIR.
    """
    chosen = settings.local_token.get_secret_value()
    if settings.auth_mode != "local" or chosen == OFF:
        return None
    path = token_path(data_dir or settings.data_dir)
    return chosen or read_or_make_secret(path, secrets.token_urlsafe)


def find_secret_key(settings: Settings, data_dir: Path | None = None) -> str:
    """SECRET_KEY, or a key that is made at the first start. `data_dir` replaces DATA_DIR.

    It signs session cookies, and encrypts second factors, secrets of webhooks and keys of models.
    """
    chosen = settings.secret_key.get_secret_value()
    path = (data_dir or settings.data_dir) / "secret-key"
    return chosen or read_or_make_secret(path, secrets.token_urlsafe)


def derive_key(secret_key: str, use: str) -> bytes:
    """32 bytes for one use. `secret_key` is random and long, so no slow derivation is needed."""
    return hmac.new(secret_key.encode(), use.encode(), hashlib.sha256).digest()


def make_cipher(secret_key: str, use: str) -> Fernet:
    """The same in every process: several machines need SECRET_KEY."""
    from cryptography.fernet import Fernet

    return Fernet(base64.urlsafe_b64encode(derive_key(secret_key, use)))


def token_path(data_dir: Path) -> Path:
    return data_dir / "local-token"


def read_or_make_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in the file. If several processes make it at the same time, the first one wins."""
    if not path.exists():
        _write_once(path, make())
    return path.read_text().strip()


def _write_once(path: Path, secret: str) -> None:
    """Write a temporary file and link it, so that nobody reads half a secret."""
    descriptor, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    try:
        with open(descriptor, "w") as file:
            file.write(secret + "\n")
        os.link(scratch, path)
    except FileExistsError:
        pass  # another process was first
    finally:
        os.unlink(scratch)

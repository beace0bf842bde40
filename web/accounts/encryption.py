"""Keys derived from the site's SECRET_KEY, one for each use."""

from __future__ import annotations

from cryptography.fernet import Fernet

from shared import local_secrets


def make_cipher(secret_key: str) -> Fernet:
    return local_secrets.make_cipher(secret_key, "second factors")

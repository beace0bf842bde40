"""Keys of the models that operators set up: stored encrypted, and read by processes alone."""

from __future__ import annotations

import logging

from shared.local_secrets import find_secret_key, make_cipher
from shared.settings import Settings

USE = "model keys"

logger = logging.getLogger(__name__)


def seal_key(api_key: str, settings: Settings) -> bytes:
    return make_cipher(find_secret_key(settings), USE).encrypt(api_key.encode())


def open_key(sealed: bytes, settings: Settings) -> str | None:
    """Decrypt a key. None: SECRET_KEY has changed since, or this process has no SECRET_KEY."""
    from cryptography.fernet import InvalidToken

    try:
        return make_cipher(find_secret_key(settings), USE).decrypt(sealed).decode()
    except (InvalidToken, OSError):
        logger.warning("model.key_unreadable")
        return None

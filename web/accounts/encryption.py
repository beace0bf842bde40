"""Keys derived from the site's SECRET_KEY, one for each use."""

from __future__ import annotations

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet


def derive_key(secret_key: str, use: str) -> bytes:
    """32 bytes. `secret_key` is random and long, so that no slow derivation is needed."""
    return hmac.new(secret_key.encode(), use.encode(), hashlib.sha256).digest()


def make_cipher(secret_key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(derive_key(secret_key, "second factors")))

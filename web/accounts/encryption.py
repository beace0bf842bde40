"""Keys derived from the site's SECRET_KEY, one for each use."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet

from shared.local_secrets import derive_key


def make_cipher(secret_key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(derive_key(secret_key, "second factors")))

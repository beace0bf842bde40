"""Secrets of webhooks: made here, stored encrypted, and used to sign."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from shared.local_secrets import find_secret_key, make_cipher
from shared.settings import Settings

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

PREFIX = "whsec_"
SECRET_BYTES = 32
OVERLAP_S = 86_400.0  # after a rotation the former secret signs, too


class UnreadableSecretError(ValueError):
    """SECRET_KEY has changed since the secret was made."""


def make_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def encrypt(secret: str, settings: Settings) -> bytes:
    return _cipher(settings).encrypt(secret.encode())


def decrypt(encrypted: bytes, settings: Settings) -> str:
    """Decrypt a secret. Raises `UnreadableSecretError`."""
    from cryptography.fernet import InvalidToken

    try:
        return _cipher(settings).decrypt(encrypted).decode()
    except InvalidToken as exc:
        raise UnreadableSecretError from exc


def sign(
    signing_secrets: Sequence[str], message_id: str, at: datetime, body: str
) -> dict[str, str]:
    """The headers of Standard Webhooks, with a signature by each secret."""
    from standardwebhooks.webhooks import Webhook as Signer

    signatures = [Signer(secret).sign(message_id, at, body) for secret in signing_secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _cipher(settings: Settings) -> Fernet:
    return make_cipher(find_secret_key(settings), "webhook secrets")

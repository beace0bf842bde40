"""Encrypt the secrets of a backup with a passphrase: scrypt, then Fernet (AES and HMAC)."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from shared.maintenance.commands import CommandError

COST = 2**16  # 64 MB of memory and a fifth of a second for each guess
BLOCK, LANES = 8, 1
SALT_BYTES = 16


def seal(secrets: Mapping[str, str], passphrase: str) -> bytes:
    salt = os.urandom(SALT_BYTES)
    token = _cipher(passphrase, salt, COST).encrypt(json.dumps(dict(secrets)).encode())
    return json.dumps(
        {"kdf": "scrypt", "cost": COST, "salt": salt.hex(), "token": token.decode()}
    ).encode()


def unseal(sealed: bytes, passphrase: str) -> dict[str, str]:
    """Decrypt secrets. Raises `CommandError` for another passphrase, or for changed bytes."""
    parts = json.loads(sealed)
    cipher = _cipher(passphrase, bytes.fromhex(parts["salt"]), parts["cost"])
    try:
        secrets: dict[str, str] = json.loads(cipher.decrypt(parts["token"].encode()))
    except InvalidToken as exc:
        raise CommandError("The passphrase is another one. Nothing was changed.") from exc
    return secrets


def _cipher(passphrase: str, salt: bytes, cost: int) -> Fernet:
    key = Scrypt(salt=salt, length=32, n=cost, r=BLOCK, p=LANES).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(key))

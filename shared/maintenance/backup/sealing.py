"""Encrypt the secrets of a backup with a passphrase: scrypt, then Fernet (AES and HMAC)."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Annotated, Literal

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from pydantic import AfterValidator, Field, StringConstraints

from shared.maintenance.backup.described_files import Described, parse_described, read_described
from shared.maintenance.backup.site_secrets import SiteSecrets
from shared.maintenance.commands import CommandError

COST = 2**16  # 64 MB of memory and a fifth of a second for each guess
BLOCK, LANES = 8, 1
SALT_BYTES = 16
#: Of the cost in a backup: 1 MB to 256 MB of memory.
MIN_COST, MAX_COST = 2**10, 2**18
MAX_BYTES = 4_000_000


def _check_power(cost: int) -> int:
    if cost.bit_count() != 1:
        raise ValueError("must be a power of 2")
    return cost


class SealedSecrets(Described):
    kdf: Literal["scrypt"] = "scrypt"
    cost: Annotated[int, Field(ge=MIN_COST, le=MAX_COST), AfterValidator(_check_power)]
    salt: Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{2 * SALT_BYTES}}}$")]
    token: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+={0,2}$")]


def seal(secrets: SiteSecrets, passphrase: str) -> bytes:
    salt = os.urandom(SALT_BYTES)
    content = json.dumps(secrets.model_dump(by_alias=True, exclude_none=True)).encode()
    token = _make_cipher(passphrase, salt, COST).encrypt(content).decode()
    return SealedSecrets(cost=COST, salt=salt.hex(), token=token).model_dump_json().encode()


def unseal(path: Path, passphrase: str) -> SiteSecrets:
    """Decrypt secrets. Raises `CommandError` for another passphrase, or a file that is damaged."""
    try:
        sealed = read_described(SealedSecrets, path, max_bytes=MAX_BYTES)
        cipher = _make_cipher(passphrase, bytes.fromhex(sealed.salt), sealed.cost)
        return parse_described(SiteSecrets, cipher.decrypt(sealed.token.encode()))
    except InvalidToken as exc:
        raise CommandError("The passphrase is another one. Nothing was changed.") from exc
    except (OSError, ValueError) as exc:
        raise CommandError(f"{path} is damaged. Nothing was changed.") from exc


def _make_cipher(passphrase: str, salt: bytes, cost: int) -> Fernet:
    derivation = Scrypt(salt=salt, length=32, n=cost, r=BLOCK, p=LANES)
    key = derivation.derive(passphrase.encode(errors="surrogateescape"))
    return Fernet(base64.urlsafe_b64encode(key))

"""Random tokens of sessions and links. The database has their hashes alone."""

from __future__ import annotations

import hashlib
import secrets

from shared.models import UserId

BYTES = 32


def make_token() -> str:
    return secrets.token_urlsafe(BYTES)


def hash_token(token: str) -> bytes:
    """A plain hash is enough: nobody can try 2^256 tokens."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def make_account_id() -> UserId:
    return UserId(f"acct_{secrets.token_hex(16)}")

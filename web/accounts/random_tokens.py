"""Random tokens of sessions and links. The database has their hashes alone."""

from __future__ import annotations

import hashlib
import re
import secrets

from shared.models import UserId

BYTES = 32
_ACCOUNT_ID = re.compile(r"acct_[0-9a-f]{32}")


def make_token() -> str:
    return secrets.token_urlsafe(BYTES)


def hash_token(token: str) -> bytes:
    """Hash a token. A plain hash is enough: nobody can try 2^256 tokens."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def make_account_id() -> UserId:
    return UserId(f"acct_{secrets.token_hex(16)}")


def is_account_id(text: str) -> bool:
    return _ACCOUNT_ID.fullmatch(text) is not None

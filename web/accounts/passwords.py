"""Passwords: which are allowed, and their hashes (argon2id with RFC 9106's second choice)."""

from __future__ import annotations

import functools
import secrets
import threading
import unicodedata
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from shared.errors import InvalidRequestError
from web.accounts.names import compared

MIN_CHARS = 10
MAX_CHARS = 256
# Each takes 64 MiB and some 50 ms of up to four cores.
HASHES_AT_ONCE = 4
# Those of this length that lists of stolen passwords have first.
COMMON_FILE = Path(__file__).parent / "common_passwords.txt"

_hasher = PasswordHasher()
_slots = threading.BoundedSemaphore(HASHES_AT_ONCE)


def check_new_password(password: str, name: str) -> None:
    """Raises `InvalidRequestError` for a password that is too short, too long or too easy."""
    plain = _normalized(password)
    if not MIN_CHARS <= len(plain) <= MAX_CHARS:
        raise InvalidRequestError(f"A password has {MIN_CHARS} to {MAX_CHARS} characters.")
    if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in plain) or "\ufffd" in plain:
        raise InvalidRequestError("A password has no control characters.")
    if plain.casefold() in _common() or len(set(plain)) < 4 or compared(plain) == compared(name):
        raise InvalidRequestError("This password is among the first that others would try.")


def hash_password(password: str) -> str:
    with _slots:
        return _hasher.hash(_normalized(password).encode("utf-8", "replace"))


def is_password(password: str, password_hash: str | None) -> bool:
    """Whether the password fits the hash. None, where nobody has the name, takes the same time."""
    password_bytes = _normalized(password[: MAX_CHARS + 1]).encode("utf-8", "replace")
    with _slots:
        try:
            is_right = _hasher.verify(password_hash or _nobodys_hash(), password_bytes)
        except (VerificationError, InvalidHashError):
            return False
    return is_right and password_hash is not None and len(password) <= MAX_CHARS


def needs_rehash(password_hash: str) -> bool:
    """Whether the hash was made with other parameters than today's."""
    return _hasher.check_needs_rehash(password_hash)


def _normalized(password: str) -> str:
    """NFC, as RFC 8265 asks: keyboards send é as one character or as two."""
    return unicodedata.normalize("NFC", password)


@functools.cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_bytes(32))


@functools.cache
def _common() -> frozenset[str]:
    return frozenset(COMMON_FILE.read_text("utf-8").split())

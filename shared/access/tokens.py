"""API tokens: made, looked up, and revoked.

A token is `tl_` and 256 random bits in base64url. Only its SHA-256 is stored. A slow hash would
protect nothing, because nobody can guess 256 bits. A look-up by hash compares in constant time: how
long it takes tells of the hash, from which nobody can make a token.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, InvalidTokenError, NotFoundError
from shared.models import ApiToken, NewToken, Scope, ShownToken, Thing, UserId
from shared.store import tokens, users

TOKEN_START = "tl_"  # noqa: S105 - what all tokens begin with
RANDOM_BYTES = 32
PREFIX_CHARS = 9  # `tl_` and six more: 36 of 256 bits
MAX_TOKENS = 100  # of one user, so that nobody fills the table

_FORM = re.compile(r"tl_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, kw_only=True)
class TokenRequest:
    """A token that a user wants."""

    name: str
    scopes: tuple[Scope, ...]
    #: None: it does not expire.
    expires_at: datetime | None = None


def looks_like_token(text: str) -> bool:
    """Whether the text has the form of our API tokens. The token may be invalid."""
    return text.startswith(TOKEN_START)


def issue_token(
    connection: PgConnection, user_id: UserId, request: TokenRequest
) -> tuple[ApiToken, str]:
    """Store a new token. Returns it with the text that its user is shown once.

    The caller checks that the user may have these scopes. Raises `ConflictError` at `MAX_TOKENS`.
    """
    users.ensure_user(connection, user_id)  # also keeps two requests from passing the limit at once
    if tokens.count_tokens(connection, user_id) >= MAX_TOKENS:
        raise ConflictError(f"You have {MAX_TOKENS} tokens. Revoke one of them first.")
    text = TOKEN_START + secrets.token_urlsafe(RANDOM_BYTES)
    new = NewToken(
        user_id=user_id,
        name=request.name,
        prefix=text[:PREFIX_CHARS],
        token_hash=_hash(text),
        scopes=request.scopes,
        expires_at=request.expires_at,
    )
    token = tokens.add_token(connection, new)
    record(connection, "token.create", user_id, Thing("token", str(token.token_id)))
    return token, text


def check_token(connection: PgConnection, text: str) -> ShownToken:
    """The token that a request shows. Raises `InvalidTokenError` with the reason."""
    token = tokens.use_token(connection, _hash(text)) if _FORM.fullmatch(text) else None
    if token is None:
        raise InvalidTokenError("There is no such API token.")
    if token.is_revoked:
        raise InvalidTokenError("This API token was revoked.")
    if token.is_expired:
        raise InvalidTokenError("This API token has expired.")
    return token


def revoke_token(connection: PgConnection, user_id: UserId, token_id: int) -> None:
    """Revoke a token. Raises `NotFoundError`, also for a token of another user."""
    if not tokens.revoke_token(connection, user_id, token_id):
        raise NotFoundError("There is no such API token.")
    record(connection, "token.revoke", user_id, Thing("token", str(token_id)))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()

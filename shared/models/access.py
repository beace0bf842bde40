"""API tokens, and what they allow."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from shared.models.ids import UserId

#: What a caller may do. `operate` opens the operators' page and its data, to operators alone.
Scope = Literal["chat", "memory:read", "memory:write", "operate"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


@dataclass(frozen=True, kw_only=True)
class NewToken:
    """A token to be stored. The store gets the hash only."""

    user_id: UserId
    name: str
    #: The first characters of the token, by which its user recognises it.
    prefix: str
    #: SHA-256 of the whole token.
    token_hash: bytes
    scopes: tuple[Scope, ...]
    #: None: it does not expire.
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class ApiToken:
    """A token that was not revoked, as its user sees it."""

    token_id: int
    name: str
    prefix: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    #: None: it does not expire.
    expires_at: datetime | None
    #: At most a minute old. None: it was never used.
    last_used_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class ShownToken:
    """What is known of a token that a request shows."""

    token_id: int
    user_id: UserId
    scopes: tuple[Scope, ...]
    is_revoked: bool
    is_expired: bool

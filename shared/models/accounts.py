"""Accounts of the site's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models.ids import UserId

#: `setup`: makes the first account. `invitation`: makes another one. `reset`: sets a password.
LinkPurpose = Literal["setup", "invitation", "reset"]


@dataclass(frozen=True, kw_only=True)
class Account:
    """Somebody who can sign in. `account_id` is their `user_id` in every other table."""

    account_id: UserId
    name: str
    is_operator: bool
    is_disabled: bool
    created_at: datetime
    #: The provider that signs the account in. None: the site itself does, by a password.
    issuer: str | None
    password_hash: str | None
    #: The second factor's key, encrypted. Without `has_totp` it waits for its first code.
    totp_secret: str | None
    has_totp: bool


@dataclass(frozen=True, kw_only=True)
class Session:
    """A browser that is signed in, or that has shown a password and still owes a code."""

    account: Account
    needs_code: bool


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Whom a provider has signed in. Issuer and subject say who it is; all else may change."""

    issuer: str
    subject: str
    #: As it is shown. Two people may have the same.
    name: str
    is_operator: bool

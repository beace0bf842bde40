"""Turns rows of `accounts` into `Account`."""

from __future__ import annotations

from shared.db import Row
from shared.models import UserId
from shared.models.accounts import Account


def account_from_row(row: Row) -> Account:
    return Account(
        account_id=UserId(row["account_id"]),
        name=row["name"],
        is_operator=row["is_operator"],
        is_disabled=row["disabled_at"] is not None,
        created_at=row["created_at"],
        issuer=row["issuer"],
        password_hash=row["password_hash"],
        totp_secret=row["totp_secret"],
        has_totp=row["totp_enabled_at"] is not None,
    )

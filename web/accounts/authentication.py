"""Checks a name with its password, and a password that is asked for once more."""

from __future__ import annotations

from shared.errors import InvalidRequestError
from shared.models.accounts import Account
from shared.store.accounts import people
from web.accounts.attempts import count_by_account
from web.accounts.names import compared
from web.accounts.passwords import hash_password, is_password, needs_rehash
from web.context import transaction


def find_by_password(name: str, password: str) -> Account | None:
    """None for a wrong password, an unknown name and a disabled account, after equal work."""
    with transaction() as connection:
        account = people.find_named(connection, compared(name))
    may_try = account is not None and not account.is_disabled
    if not is_password(password, account.password_hash if account and may_try else None):
        return None
    if account and account.password_hash and needs_rehash(account.password_hash):
        _rehash(account, account.password_hash, password)
    return account


def check_own_password(account: Account, password: str) -> None:
    """Raises `InvalidRequestError`, and `TooManyAttemptsError` after many."""
    count_by_account(account.account_id)
    if not is_password(password, account.password_hash):
        raise InvalidRequestError("That is not your present password.")


def _rehash(account: Account, old: str, password: str) -> None:
    new = hash_password(password)
    with transaction() as connection:
        people.rehash_password(connection, account.account_id, old, new)

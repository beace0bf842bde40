"""Checks a name with its password, and a password that is asked for once more."""

from __future__ import annotations

import logging
import threading

from shared.access.audit import acting, current_actor, record
from shared.errors import DatabaseUnavailableError, InvalidRequestError
from shared.models import Actor, UserId
from shared.models.accounts import Account
from shared.services import Services
from shared.store.accounts import people
from web.accounts.attempts import count_by_account
from web.accounts.names import compared
from web.accounts.passwords import hash_password, is_password, needs_rehash
from web.process.context import transaction, web_context

logger = logging.getLogger(__name__)


def check_password(name: str, password: str) -> tuple[Account | None, bool]:
    """Who has this name, and whether the password opens the account.

    A wrong password, an unknown name and a disabled account take the same work.
    """
    with transaction() as connection:
        account = people.find_named(connection, compared(name))
    may_try = account is not None and not account.is_disabled
    is_right = is_password(password, account.password_hash if account and may_try else None)
    if is_right and account and account.password_hash and needs_rehash(account.password_hash):
        _rehash(account, account.password_hash, password)
    return account, is_right


def note_refusal(account: Account | None) -> None:
    """Record a refused sign-in, beside its answer: how long that takes tells no name.

    Only for a name that somebody has: what others typed may be anything, a password too.
    """
    if account is not None:
        work = (web_context().services, current_actor(), account.account_id)
        threading.Thread(target=_record_refusal, args=work, name="refusal", daemon=True).start()


def _record_refusal(services: Services, actor: Actor, account_id: UserId) -> None:
    try:
        with acting(actor), services.database.transaction() as connection:
            record(connection, "session.refuse", account_id)
    except DatabaseUnavailableError as exc:
        fields = {"action": "session.refuse", "error": type(exc).__name__}
        logger.warning("audit.not_recorded", extra=fields)


def check_own_password(account: Account, password: str) -> None:
    """Raises `InvalidRequestError`, and `TooManyAttemptsError` after many."""
    count_by_account(account.account_id)
    if not is_password(password, account.password_hash):
        raise InvalidRequestError("That is not your present password.")


def _rehash(account: Account, old: str, password: str) -> None:
    new = hash_password(password)
    with transaction() as connection:
        people.rehash_password(connection, account.account_id, old, new)

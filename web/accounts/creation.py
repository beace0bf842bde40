"""Makes accounts. The first one is the operator's, and needs the link that the log shows."""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, ForbiddenError
from shared.models.accounts import Account, LinkPurpose
from shared.settings import Settings
from shared.store.accounts import links, people
from web.accounts.names import read_names
from web.accounts.passwords import check_new_password, hash_password
from web.accounts.random_tokens import hash_token, make_account_id
from web.process.context import transaction

DEAD_LINK = "This link has been used, or has expired. Please ask for a new one."
FIRST_ACCOUNT = (
    "This site has no account yet. The first one is made with the link in the log of the process "
    "`web`, or with: bin/throughline accounts setup-link"
)


def check_may_sign_up(settings: Settings, token: str) -> None:
    """Raises `ForbiddenError` if no account can be made now."""
    with transaction() as connection:
        is_first = not people.has_accounts(connection)
        link = links.find_link(connection, hash_token(token)) if token else None
    purpose = _needed_link(settings, is_first=is_first, has_token=bool(token))
    if purpose and (link is None or link.purpose != purpose):
        raise ForbiddenError(DEAD_LINK if token else _closed(is_first=is_first))


def create_account(settings: Settings, name: str, password: str, token: str) -> Account:
    """Raises `InvalidRequestError`, `ForbiddenError`, or `ConflictError` for a taken name."""
    names = read_names(name)
    check_new_password(password, name)
    check_may_sign_up(settings, token)  # before the work of hashing
    password_hash = hash_password(password)
    account_id = make_account_id()
    with transaction() as connection:
        people.lock_creation(connection)
        is_first = not people.has_accounts(connection)
        _take_link(connection, settings, token, is_first=is_first)
        added = people.add_account(
            connection, account_id, names, password_hash, is_operator=is_first
        )
        if not added:
            raise ConflictError("This name is taken.")  # and the link stays good
        record(connection, "account.create", account_id, by=account_id)
        account = people.find_account(connection, account_id)
    assert account is not None  # noqa: S101 - it was added
    return account


def _take_link(connection: PgConnection, settings: Settings, token: str, *, is_first: bool) -> None:
    purpose = _needed_link(settings, is_first=is_first, has_token=bool(token))
    if purpose and links.take_link(connection, hash_token(token), purpose) is None:
        raise ForbiddenError(DEAD_LINK if token else _closed(is_first=is_first))
    if is_first:
        links.delete_setup_links(connection)


def _needed_link(settings: Settings, *, is_first: bool, has_token: bool) -> LinkPurpose | None:
    """None: no link is needed. An invitation that is shown is used up also where none is."""
    if is_first:
        return "setup"
    if settings.sign_up == "closed":
        raise ForbiddenError(_closed(is_first=False))
    return "invitation" if settings.sign_up == "invite" or has_token else None


def _closed(*, is_first: bool) -> str:
    return FIRST_ACCOUNT if is_first else "New accounts are made by invitation of an administrator."

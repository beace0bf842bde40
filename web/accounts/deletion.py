"""Deletes an account with everything that its user has here."""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError
from shared.models.accounts import Account
from shared.store.accounts import links, people, sessions
from shared.user_data.erasure.conversations import erase_user
from web.process.context import WebContext, transaction

LAST_OPERATOR = "This is the last administrator: make somebody else an administrator first."


def delete_with_data(context: WebContext, account: Account) -> None:
    """Disable an account, delete its user's data, and then delete the account.

    After an error in between, the account is there, disabled, and can be deleted again. Raises
    `ConflictError` for the last operator.
    """
    disable(account)
    erase_user(context.services, context.runner, account.account_id)
    with transaction() as connection:
        people.delete_account(connection, account.account_id)
        record(connection, "account.delete", account.account_id)


def disable(account: Account) -> None:
    """Disable an account. Raises `ConflictError` for the last operator."""
    with transaction() as connection:
        check_is_not_last(connection, account)
        people.set_disabled(connection, account.account_id, is_disabled=True)
        sessions.end_sessions(connection, account.account_id)
        links.delete_links(connection, account.account_id)
        record(connection, "account.disable", account.account_id)


def check_is_not_last(connection: PgConnection, account: Account) -> None:
    """Raises `ConflictError` if the account is the last operator's."""
    operator_count = people.count_operators(connection, account.issuer)
    if account.is_operator and not account.is_disabled and operator_count <= 1:
        raise ConflictError(LAST_OPERATOR)

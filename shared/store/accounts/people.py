"""Table `accounts`: who can sign in."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import UserId
from shared.models.accounts import Account, Identity
from shared.store.accounts.account_rows import account_from_row

_CREATION = 0x7468_726C_6163_6374  # key of the advisory lock


def is_there(connection: PgConnection) -> bool:
    """Whether the table exists: a process may start before the migrations have run."""
    row = fetch_row(connection, "SELECT to_regclass('accounts') IS NOT NULL AS is_there")
    return bool(row and row["is_there"])


def lock_creation(connection: PgConnection) -> None:
    """Let one transaction at a time create an account, so that only one is the first."""
    execute(connection, "SELECT pg_advisory_xact_lock(%(key)s)", key=_CREATION)


def has_accounts(connection: PgConnection) -> bool:
    """Whether anybody has an account that the site itself signs in."""
    return fetch_row(connection, "SELECT FROM accounts WHERE issuer IS NULL LIMIT 1") is not None


def add_account(
    connection: PgConnection,
    account_id: UserId,
    names: tuple[str, str],
    password_hash: str,
    *,
    is_operator: bool,
) -> bool:
    """Add an account. `names` are its name as shown and as compared. False: the name is taken."""
    name, name_key = names
    added = execute(
        connection,
        """
        INSERT INTO accounts (account_id, name, name_key, password_hash, is_operator)
        VALUES (%(account_id)s, %(name)s, %(name_key)s, %(password_hash)s, %(is_operator)s)
        ON CONFLICT (name_key) DO NOTHING
        """,
        account_id=account_id,
        name=name,
        name_key=name_key,
        password_hash=password_hash,
        is_operator=is_operator,
    )
    return added == 1


def keep_foreign_account(
    connection: PgConnection, account_id: UserId, identity: Identity
) -> Account:
    """Add the account of a provider's subject, or renew its name and whether it operates.

    `account_id` is the id of a new account.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO accounts (account_id, name, issuer, subject, is_operator)
        VALUES (%(account_id)s, %(name)s, %(issuer)s, %(subject)s, %(is_operator)s)
        ON CONFLICT (issuer, subject) DO UPDATE
            SET name = excluded.name, is_operator = excluded.is_operator
        RETURNING *
        """,
        account_id=account_id,
        issuer=identity.issuer,
        subject=identity.subject,
        name=identity.name,
        is_operator=identity.is_operator,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return account_from_row(row)


def has_foreign_account(connection: PgConnection, identity: Identity) -> bool:
    row = fetch_row(
        connection,
        "SELECT FROM accounts WHERE issuer = %(issuer)s AND subject = %(subject)s",
        issuer=identity.issuer,
        subject=identity.subject,
    )
    return row is not None


def find_account(connection: PgConnection, account_id: UserId) -> Account | None:
    row = fetch_row(
        connection,
        "SELECT * FROM accounts WHERE account_id = %(account_id)s",
        account_id=account_id,
    )
    return account_from_row(row) if row else None


def list_disabled(connection: PgConnection, account_ids: Sequence[UserId]) -> set[UserId]:
    """The accounts among these that an operator has disabled."""
    rows = fetch_rows(
        connection,
        """
        SELECT account_id FROM accounts
        WHERE account_id = ANY(%(account_ids)s) AND disabled_at IS NOT NULL
        """,
        account_ids=list(account_ids),
    )
    return {UserId(row["account_id"]) for row in rows}


def find_named(connection: PgConnection, name_key: str) -> Account | None:
    row = fetch_row(
        connection, "SELECT * FROM accounts WHERE name_key = %(name_key)s", name_key=name_key
    )
    return account_from_row(row) if row else None


def list_accounts(connection: PgConnection, issuer: str | None) -> list[Account]:
    """The accounts that this provider signs in. None: those that the site itself signs in."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM accounts WHERE issuer IS NOT DISTINCT FROM %(issuer)s
        ORDER BY created_at, account_id
        """,
        issuer=issuer,
    )
    return [account_from_row(row) for row in rows]


def set_password(connection: PgConnection, account_id: UserId, password_hash: str) -> None:
    execute(
        connection,
        "UPDATE accounts SET password_hash = %(password_hash)s WHERE account_id = %(account_id)s",
        account_id=account_id,
        password_hash=password_hash,
    )


def rehash_password(connection: PgConnection, account_id: UserId, old: str, new: str) -> None:
    """Replace the hash of an unchanged password. One that was changed meanwhile stays."""
    execute(
        connection,
        """
        UPDATE accounts SET password_hash = %(new)s
        WHERE account_id = %(account_id)s AND password_hash = %(old)s
        """,
        account_id=account_id,
        old=old,
        new=new,
    )


def rename(connection: PgConnection, account_id: UserId, names: tuple[str, str]) -> bool:
    """Give an account another name. False: the name is taken."""
    name, name_key = names
    changed = execute(
        connection,
        """
        UPDATE accounts SET name = %(name)s, name_key = %(name_key)s
        WHERE account_id = %(account_id)s AND NOT EXISTS (
            SELECT FROM accounts
            WHERE name_key = %(name_key)s AND account_id <> %(account_id)s)
        """,
        account_id=account_id,
        name=name,
        name_key=name_key,
    )
    return changed == 1


def set_operator(connection: PgConnection, account_id: UserId, *, is_operator: bool) -> None:
    execute(
        connection,
        """
        UPDATE accounts SET is_operator = %(is_operator)s
        WHERE account_id = %(account_id)s AND is_operator <> %(is_operator)s
        """,
        account_id=account_id,
        is_operator=is_operator,
    )


def set_disabled(connection: PgConnection, account_id: UserId, *, is_disabled: bool) -> None:
    execute(
        connection,
        """
        UPDATE accounts SET disabled_at = CASE WHEN %(is_disabled)s THEN now() END
        WHERE account_id = %(account_id)s
        """,
        account_id=account_id,
        is_disabled=is_disabled,
    )


def count_operators(connection: PgConnection, issuer: str | None) -> int:
    """Count the operators who can sign in, of those in `list_accounts`.

    They are locked, so that two requests at once cannot remove the last one.
    """
    return len(
        fetch_rows(
            connection,
            """
            SELECT account_id FROM accounts
            WHERE is_operator AND disabled_at IS NULL
              AND issuer IS NOT DISTINCT FROM %(issuer)s
            ORDER BY account_id FOR UPDATE
            """,
            issuer=issuer,
        )
    )


def delete_account(connection: PgConnection, account_id: UserId) -> None:
    """Delete an account with its sessions, links and codes. The user's data are erased before."""
    execute(
        connection,
        "DELETE FROM accounts WHERE account_id = %(account_id)s",
        account_id=account_id,
    )

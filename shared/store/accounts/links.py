"""Table `account_links`: one-time links, by the hash of their token."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, Row, execute, fetch_row
from shared.models import UserId
from shared.models.accounts import LinkPurpose


@dataclass(frozen=True, kw_only=True)
class Link:
    """The purpose of a one-time link, and the account that it is for."""

    purpose: LinkPurpose
    #: Whose password a `reset` sets.
    account_id: UserId | None


def add_link(
    connection: PgConnection,
    token_hash: bytes,
    purpose: LinkPurpose,
    *,
    lifetime_s: float,
    account_id: UserId | None = None,
) -> None:
    """Add a link. Delete the account's earlier links, and all links that have expired."""
    execute(
        connection,
        """
        DELETE FROM account_links WHERE expires_at < now() OR account_id = %(account_id)s;
        INSERT INTO account_links (token_hash, purpose, account_id, expires_at)
        VALUES (%(token_hash)s, %(purpose)s, %(account_id)s,
                now() + make_interval(secs => %(lifetime_s)s))
        """,
        token_hash=token_hash,
        purpose=purpose,
        account_id=account_id,
        lifetime_s=lifetime_s,
    )


def find_link(connection: PgConnection, token_hash: bytes) -> Link | None:
    row = fetch_row(
        connection,
        """
        SELECT purpose, account_id FROM account_links
        WHERE token_hash = %(token_hash)s AND expires_at > now()
        """,
        token_hash=token_hash,
    )
    return _from_row(row) if row else None


def take_link(connection: PgConnection, token_hash: bytes, purpose: LinkPurpose) -> Link | None:
    """Use a link up. Of two requests at once the second waits for the first, and finds none."""
    row = fetch_row(
        connection,
        """
        DELETE FROM account_links
        WHERE token_hash = %(token_hash)s AND purpose = %(purpose)s AND expires_at > now()
        RETURNING purpose, account_id
        """,
        token_hash=token_hash,
        purpose=purpose,
    )
    return _from_row(row) if row else None


def delete_links(connection: PgConnection, account_id: UserId) -> None:
    """Delete the links with which the account's password could be set."""
    execute(
        connection,
        "DELETE FROM account_links WHERE account_id = %(account_id)s",
        account_id=account_id,
    )


def delete_setup_links(connection: PgConnection) -> None:
    execute(connection, "DELETE FROM account_links WHERE purpose = 'setup'")


def _from_row(row: Row) -> Link:
    account_id = row["account_id"]
    return Link(purpose=row["purpose"], account_id=UserId(account_id) if account_id else None)

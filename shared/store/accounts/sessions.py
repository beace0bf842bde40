"""Table `account_sessions`: browsers that are signed in, by the hash of their token."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import UserId
from shared.models.accounts import Session
from shared.store.accounts.account_rows import account_from_row


def add_session(
    connection: PgConnection,
    token_hash: bytes,
    account_id: UserId,
    *,
    lifetime_s: float,
    needs_code: bool = False,
) -> None:
    """Add a session. Delete the account's sessions that have ended."""
    execute(
        connection,
        """
        DELETE FROM account_sessions WHERE account_id = %(account_id)s AND expires_at < now();
        INSERT INTO account_sessions (token_hash, account_id, needs_code, expires_at)
        VALUES (%(token_hash)s, %(account_id)s, %(needs_code)s,
                now() + make_interval(secs => %(lifetime_s)s))
        """,
        token_hash=token_hash,
        account_id=account_id,
        lifetime_s=lifetime_s,
        needs_code=needs_code,
    )


def find_session(connection: PgConnection, token_hash: bytes) -> Session | None:
    """The session with this token. None: it has ended, or its account is disabled."""
    row = fetch_row(
        connection,
        """
        SELECT accounts.*, needs_code
        FROM account_sessions JOIN accounts USING (account_id)
        WHERE token_hash = %(token_hash)s AND expires_at > now() AND disabled_at IS NULL
        """,
        token_hash=token_hash,
    )
    return Session(account=account_from_row(row), needs_code=row["needs_code"]) if row else None


def list_good(connection: PgConnection, token_hashes: Sequence[bytes]) -> set[bytes]:
    """The sessions among these that have not ended."""
    rows = fetch_rows(
        connection,
        """
        SELECT token_hash FROM account_sessions
        WHERE token_hash = ANY(%(token_hashes)s::bytea[]) AND NOT needs_code
          AND expires_at > now()
        """,
        token_hashes=list(token_hashes),
    )
    return {bytes(row["token_hash"]) for row in rows}


def end_session(connection: PgConnection, token_hash: bytes) -> UserId | None:
    """End a session, and return the id of its account. None: there was no such session."""
    row = fetch_row(
        connection,
        "DELETE FROM account_sessions WHERE token_hash = %(token_hash)s RETURNING account_id",
        token_hash=token_hash,
    )
    return UserId(row["account_id"]) if row else None


def end_sessions(connection: PgConnection, account_id: UserId) -> None:
    execute(
        connection,
        "DELETE FROM account_sessions WHERE account_id = %(account_id)s",
        account_id=account_id,
    )


def count_sessions(connection: PgConnection, account_id: UserId) -> int:
    row = fetch_row(
        connection,
        """
        SELECT count(*) FROM account_sessions
        WHERE account_id = %(account_id)s AND NOT needs_code AND expires_at > now()
        """,
        account_id=account_id,
    )
    return int(row["count"]) if row else 0

"""The second factor of `accounts`, and the table `recovery_codes`."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row
from shared.models import UserId


def offer_secret(connection: PgConnection, account_id: UserId, secret: str) -> None:
    """Keep an encrypted key until its first code. A second factor that is on stays as it is."""
    execute(
        connection,
        """
        UPDATE accounts SET totp_secret = %(secret)s, totp_last_step = 0
        WHERE account_id = %(account_id)s AND totp_enabled_at IS NULL
        """,
        account_id=account_id,
        secret=secret,
    )


def take_step(connection: PgConnection, account_id: UserId, step: int) -> bool:
    """Use a code up. False: this code, or a later one, has been used before.

    `step` counts the code's intervals of 30 s since 1970.
    """
    count = execute(
        connection,
        """
        UPDATE accounts SET totp_last_step = %(step)s
        WHERE account_id = %(account_id)s AND totp_last_step < %(step)s
        """,
        account_id=account_id,
        step=step,
    )
    return count == 1


def turn_on(connection: PgConnection, account_id: UserId, code_hashes: Sequence[bytes]) -> None:
    execute(
        connection,
        """
        UPDATE accounts SET totp_enabled_at = now()
        WHERE account_id = %(account_id)s AND totp_secret IS NOT NULL
        """,
        account_id=account_id,
    )
    replace_codes(connection, account_id, code_hashes)


def turn_off(connection: PgConnection, account_id: UserId) -> None:
    execute(
        connection,
        """
        UPDATE accounts SET totp_enabled_at = NULL, totp_secret = NULL
        WHERE account_id = %(account_id)s
        """,
        account_id=account_id,
    )
    replace_codes(connection, account_id, ())


def replace_codes(
    connection: PgConnection, account_id: UserId, code_hashes: Sequence[bytes]
) -> None:
    execute(
        connection,
        """
        DELETE FROM recovery_codes WHERE account_id = %(account_id)s;
        INSERT INTO recovery_codes (account_id, code_hash)
        SELECT %(account_id)s, unnest(%(code_hashes)s::bytea[])
        """,
        account_id=account_id,
        code_hashes=list(code_hashes),
    )


def take_code(connection: PgConnection, account_id: UserId, code_hash: bytes) -> bool:
    """Use a recovery code up. False: the account has no such code."""
    count = execute(
        connection,
        """
        DELETE FROM recovery_codes
        WHERE account_id = %(account_id)s AND code_hash = %(code_hash)s
        """,
        account_id=account_id,
        code_hash=code_hash,
    )
    return count == 1


def count_codes(connection: PgConnection, account_id: UserId) -> int:
    row = fetch_row(
        connection,
        "SELECT count(*) FROM recovery_codes WHERE account_id = %(account_id)s",
        account_id=account_id,
    )
    return int(row["count"]) if row else 0

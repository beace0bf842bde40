"""Whether row-level security binds the role that the application signs in as."""

from __future__ import annotations

from shared.db import PgConnection, fetch_row


def is_bound(connection: PgConnection) -> bool:
    """Whether this role sees the rows of its transaction's user alone, as the policies say.

    A superuser, a role with `BYPASSRLS` and the owner of the tables, who has the rights of upkeep
    at all times, are not bound.
    """
    row = fetch_row(
        connection,
        """
        SELECT row_security_active('messages')
               AND NOT pg_has_role(current_user, 'throughline_upkeep', 'USAGE') AS is_bound
        """,
    )
    return bool(row and row["is_bound"])

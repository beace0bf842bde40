"""The secret of ids: function `new_id()` and table `id_salt` of the database."""

from __future__ import annotations

from shared.db import PgConnection, fetch_row


def find_salt(connection: PgConnection) -> str:
    """The secret of ids, which all processes of a site share."""
    row = fetch_row(connection, "SELECT salt::text AS salt FROM id_salt")
    return str(row["salt"]) if row else ""

"""Table `site`: which site the database is, and when it was last served."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row
from shared.models.sites import SiteMark

READ = """
    SELECT site_id::text, pulse, place, extract(epoch FROM clock_timestamp())::float8 AS now
    FROM site
"""

#: Migrations make the table, and grant rights to it a moment later.
IS_OPEN = "SELECT WHERE has_table_privilege(to_regclass('site'), 'SELECT')"


def read_site(connection: PgConnection) -> tuple[SiteMark, float]:
    """Read the database's own mark, which the first call makes, and what time it is there.

    Raises `LookupError` where the migrations have not made the table yet.
    """
    if fetch_row(connection, IS_OPEN) is None:
        raise LookupError("there is no table `site` yet, or no right to it")
    row = fetch_row(connection, READ)
    if row is None:
        execute(connection, "INSERT INTO site DEFAULT VALUES ON CONFLICT DO NOTHING")
        row = fetch_row(connection, READ) or {}
    mark = SiteMark(site_id=row["site_id"], pulse=row["pulse"], place=row["place"])
    return mark, row["now"]


def note_pulse(connection: PgConnection, mark: SiteMark) -> None:
    execute(
        connection,
        "UPDATE site SET pulse = %(pulse)s, place = %(place)s WHERE pulse < %(pulse)s",
        pulse=mark.pulse,
        place=mark.place,
    )

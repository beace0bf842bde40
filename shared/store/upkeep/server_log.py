"""Whether the settings of Postgres let users' texts into its log."""

from __future__ import annotations

from shared.db import PgConnection, fetch_rows


def list_revealing(connection: PgConnection) -> list[str]:
    """Names of the settings that let statements or rows into the server's log."""
    rows = fetch_rows(
        connection,
        """
        SELECT name FROM pg_settings
        WHERE (name IN ('log_min_messages', 'log_min_error_statement')
               AND setting NOT IN ('log', 'fatal', 'panic'))
           OR (name = 'log_error_verbosity' AND setting <> 'terse')
           OR (name = 'log_statement' AND setting <> 'none')
           OR (name IN ('log_min_duration_statement', 'log_min_duration_sample')
               AND setting <> '-1')
        ORDER BY name
        """,
    )
    return [row["name"] for row in rows]

"""Table `environment_models`: what came of the probes of models that the environment names."""

from __future__ import annotations

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models.site_models import EnvironmentModel


def list_verifications(connection: PgConnection) -> dict[EnvironmentModel, int]:
    """How many notes of the probe each model told right. Those without an answer are left out."""
    rows = fetch_rows(
        connection,
        """
        SELECT name, server, verification_right FROM environment_models
        WHERE verification_right IS NOT NULL
        """,
    )
    return {
        EnvironmentModel(name=row["name"], server=row["server"]): row["verification_right"]
        for row in rows
    }


def claim_probe(connection: PgConnection, model: EnvironmentModel, pause_s: float) -> bool:
    """Whether the caller may begin a probe: none has had an answer, or was begun in `pause_s`."""
    row = fetch_row(
        connection,
        """
        INSERT INTO environment_models AS known (name, server) VALUES (%(name)s, %(server)s)
        ON CONFLICT (name, server) DO UPDATE SET begun_at = now()
        WHERE known.verification_right IS NULL
          AND known.begun_at < now() - make_interval(secs => %(pause_s)s)
        RETURNING name
        """,
        name=model.name,
        server=model.server,
        pause_s=pause_s,
    )
    return row is not None


def is_probe_begun(connection: PgConnection, model: EnvironmentModel) -> bool:
    """Whether a probe was begun, and has had no answer yet."""
    row = fetch_row(
        connection,
        """
        SELECT name FROM environment_models
        WHERE name = %(name)s AND server = %(server)s AND verification_right IS NULL
        """,
        name=model.name,
        server=model.server,
    )
    return row is not None


def put_probe_off(connection: PgConnection, model: EnvironmentModel) -> None:
    """Let the next one begin a probe that nobody has answered, as if none had begun it."""
    execute(
        connection,
        """
        UPDATE environment_models SET begun_at = '-infinity'
        WHERE name = %(name)s AND server = %(server)s AND verification_right IS NULL
        """,
        name=model.name,
        server=model.server,
    )


def set_verification(connection: PgConnection, model: EnvironmentModel, right: int) -> None:
    """Keep what came of a probe."""
    execute(
        connection,
        """
        INSERT INTO environment_models (name, server, verification_right)
        VALUES (%(name)s, %(server)s, %(right)s)
        ON CONFLICT (name, server) DO UPDATE SET verification_right = excluded.verification_right
        """,
        name=model.name,
        server=model.server,
        right=right,
    )

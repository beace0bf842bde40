"""Table `examinations`: how models did when they were examined about facts."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models.request_limits import ModelPlace
from shared.models.site_models import Examination


def list_examinations(connection: PgConnection) -> dict[ModelPlace, Examination]:
    rows = fetch_rows(connection, "SELECT * FROM examinations")
    return {ModelPlace(name=row["model"], server=row["server"]): _from_row(row) for row in rows}


def claim_examination(
    connection: PgConnection, place: ModelPlace, prompt_version: str, pause_s: float
) -> bool:
    """Whether the caller may begin an examination, or go on with one.

    None is done with this version of the prompt, and none was begun in `pause_s`.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO examinations AS known (model, server, prompt_version)
        VALUES (%(model)s, %(server)s, %(prompt_version)s)
        ON CONFLICT (model, server) DO UPDATE
        SET begun_at = now(), prompt_version = %(prompt_version)s, is_done = false,
            asked_count = CASE
                WHEN known.prompt_version = %(prompt_version)s THEN known.asked_count ELSE 0
            END
        WHERE known.prompt_version <> %(prompt_version)s
           OR (NOT known.is_done AND known.begun_at < now() - make_interval(secs => %(pause_s)s))
        RETURNING model
        """,
        model=place.name,
        server=place.server,
        prompt_version=prompt_version,
        pause_s=pause_s,
    )
    return row is not None


def restart_examination(connection: PgConnection, place: ModelPlace, prompt_version: str) -> None:
    """Forget how the model did, so that it is examined anew."""
    execute(
        connection,
        """
        INSERT INTO examinations (model, server, prompt_version)
        VALUES (%(model)s, %(server)s, %(prompt_version)s)
        ON CONFLICT (model, server) DO UPDATE
        SET begun_at = now(), prompt_version = %(prompt_version)s, is_done = false, asked_count = 0
        """,
        model=place.name,
        server=place.server,
        prompt_version=prompt_version,
    )


def put_examination_off(connection: PgConnection, place: ModelPlace) -> None:
    """Let whoever asks next go on with it, as if nobody were at it."""
    execute(
        connection,
        """
        UPDATE examinations SET begun_at = '-infinity'
        WHERE (model, server) = (%(model)s, %(server)s) AND NOT is_done
        """,
        model=place.name,
        server=place.server,
    )


def save_examination(
    connection: PgConnection, place: ModelPlace, examination: Examination, *, asked_before: int
) -> bool:
    """Keep one more note's result. False: another worker, or a restart, was quicker."""
    touched = execute(
        connection,
        """
        UPDATE examinations
        SET asked_count = %(asked_count)s, traps = %(traps)s, believed = %(believed)s,
            plain = %(plain)s, lost = %(lost)s, is_done = %(is_done)s, begun_at = now()
        WHERE (model, server) = (%(model)s, %(server)s)
          AND prompt_version = %(prompt_version)s AND asked_count = %(asked_before)s AND NOT is_done
        """,
        model=place.name,
        server=place.server,
        asked_before=asked_before,
        **asdict(examination),
    )
    return touched == 1


def _from_row(row: Row) -> Examination:
    return Examination(
        prompt_version=row["prompt_version"],
        asked_count=row["asked_count"],
        traps=row["traps"] if row["asked_count"] else 0,
        believed=row["believed"] if row["asked_count"] else 0,
        plain=row["plain"] if row["asked_count"] else 0,
        lost=row["lost"] if row["asked_count"] else 0,
        is_done=row["is_done"],
    )

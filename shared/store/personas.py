"""Table `personas`. Each query checks the owner."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NameTakenError, NotFoundError
from shared.models import UserId
from shared.models.personas import Persona, PersonaText


def list_personas(connection: PgConnection, user_id: UserId) -> list[Persona]:
    """By name."""
    rows = fetch_rows(
        connection,
        "SELECT * FROM personas WHERE user_id = %(user_id)s ORDER BY name, persona_id",
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def get_persona(connection: PgConnection, user_id: UserId, persona_id: int) -> Persona:
    """Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        "SELECT * FROM personas WHERE persona_id = %(persona_id)s AND user_id = %(user_id)s",
        persona_id=persona_id,
        user_id=user_id,
    )
    return _found(row)


def add_persona(connection: PgConnection, user_id: UserId, text: PersonaText) -> Persona:
    """Raises `NameTakenError`. The caller has made sure that the user exists."""
    row = fetch_row(
        connection,
        """
        INSERT INTO personas (user_id, name, instructions, model, mode)
        VALUES (%(user_id)s, %(name)s, %(instructions)s, %(model)s, %(mode)s)
        ON CONFLICT (user_id, name) DO NOTHING
        RETURNING *
        """,
        user_id=user_id,
        **asdict(text),
    )
    if row is None:
        raise NameTakenError
    return _from_row(row)


def change_persona(
    connection: PgConnection, user_id: UserId, persona_id: int, text: PersonaText
) -> Persona:
    """The caller has locked the user, and knows that no other has the name."""
    row = fetch_row(
        connection,
        """
        UPDATE personas
        SET name = %(name)s, instructions = %(instructions)s, model = %(model)s, mode = %(mode)s
        WHERE persona_id = %(persona_id)s AND user_id = %(user_id)s
        RETURNING *
        """,
        persona_id=persona_id,
        user_id=user_id,
        **asdict(text),
    )
    return _found(row)


def delete_persona(connection: PgConnection, user_id: UserId, persona_id: int) -> None:
    """Raises `NotFoundError`."""
    touched = execute(
        connection,
        "DELETE FROM personas WHERE persona_id = %(persona_id)s AND user_id = %(user_id)s",
        persona_id=persona_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such persona.")


def _found(row: Row | None) -> Persona:
    if row is None:
        raise NotFoundError("There is no such persona.")
    return _from_row(row)


def _from_row(row: Row) -> Persona:
    return Persona(
        persona_id=row["persona_id"],
        text=PersonaText(
            name=row["name"],
            instructions=row["instructions"],
            model=row["model"],
            mode=row["mode"],
        ),
        created_at=row["created_at"],
    )

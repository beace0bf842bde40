"""Table `prompts`. Each query checks the owner."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NameTakenError, NotFoundError
from shared.models import UserId
from shared.models.prompts import Prompt, PromptText


def list_prompts(connection: PgConnection, user_id: UserId) -> list[Prompt]:
    """By name."""
    rows = fetch_rows(
        connection,
        "SELECT * FROM prompts WHERE user_id = %(user_id)s ORDER BY name, prompt_id",
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def get_prompt(connection: PgConnection, user_id: UserId, prompt_id: int) -> Prompt:
    """Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        "SELECT * FROM prompts WHERE prompt_id = %(prompt_id)s AND user_id = %(user_id)s",
        prompt_id=prompt_id,
        user_id=user_id,
    )
    return _found(row)


def add_prompt(connection: PgConnection, user_id: UserId, text: PromptText) -> Prompt:
    """Raises `NameTakenError`. The caller has made sure that the user exists."""
    row = fetch_row(
        connection,
        """
        INSERT INTO prompts (user_id, name, text)
        VALUES (%(user_id)s, %(name)s, %(text)s)
        ON CONFLICT (user_id, name) DO NOTHING
        RETURNING *
        """,
        user_id=user_id,
        **asdict(text),
    )
    if row is None:
        raise NameTakenError
    return _from_row(row)


def change_prompt(
    connection: PgConnection, user_id: UserId, prompt_id: int, text: PromptText
) -> Prompt:
    """The caller has locked the user, and knows that no other has the name."""
    row = fetch_row(
        connection,
        """
        UPDATE prompts SET name = %(name)s, text = %(text)s
        WHERE prompt_id = %(prompt_id)s AND user_id = %(user_id)s
        RETURNING *
        """,
        prompt_id=prompt_id,
        user_id=user_id,
        **asdict(text),
    )
    return _found(row)


def delete_prompt(connection: PgConnection, user_id: UserId, prompt_id: int) -> None:
    """Raises `NotFoundError`."""
    touched = execute(
        connection,
        "DELETE FROM prompts WHERE prompt_id = %(prompt_id)s AND user_id = %(user_id)s",
        prompt_id=prompt_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such prompt.")


def _found(row: Row | None) -> Prompt:
    if row is None:
        raise NotFoundError("There is no such prompt.")
    return _from_row(row)


def _from_row(row: Row) -> Prompt:
    return Prompt(
        prompt_id=row["prompt_id"],
        text=PromptText(name=row["name"], text=row["text"]),
        created_at=row["created_at"],
    )

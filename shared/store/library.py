"""Tables `personas` and `prompts`. Each query checks the owner."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, LiteralString

from psycopg2.sql import SQL, Composed, Identifier, Placeholder

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NameTakenError, NotFoundError
from shared.models import UserId
from shared.models.library import Entry, Shelf, Text


def list_entries(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text]
) -> list[Entry[Text]]:
    """By name."""
    rows = fetch_rows(
        connection,
        _statement(shelf, "SELECT * FROM {table} WHERE user_id = %(user_id)s ORDER BY name, {key}"),
        user_id=user_id,
    )
    return [_from_row(shelf, row) for row in rows]


def get_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], entry_id: int
) -> Entry[Text]:
    """Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        _statement(
            shelf, "SELECT * FROM {table} WHERE {key} = %(entry_id)s AND user_id = %(user_id)s"
        ),
        user_id=user_id,
        entry_id=entry_id,
    )
    return _existing(shelf, row)


def add_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], text: Text
) -> Entry[Text]:
    """Raises `NameTakenError`. The caller has made sure that the user exists."""
    row = fetch_row(
        connection,
        _statement(
            shelf,
            """
            INSERT INTO {table} (user_id, {columns})
            VALUES (%(user_id)s, {values})
            ON CONFLICT (user_id, name) DO NOTHING
            RETURNING *
            """,
        ),
        user_id=user_id,
        **asdict(text),
    )
    if row is None:
        raise NameTakenError
    return _from_row(shelf, row)


def change_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], entry_id: int, text: Text
) -> Entry[Text]:
    """The caller has locked the user, and knows that no other has the name."""
    row = fetch_row(
        connection,
        _statement(
            shelf,
            """
            UPDATE {table} SET ({columns}) = ROW ({values})
            WHERE {key} = %(entry_id)s AND user_id = %(user_id)s
            RETURNING *
            """,
        ),
        user_id=user_id,
        entry_id=entry_id,
        **asdict(text),
    )
    return _existing(shelf, row)


def delete_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], entry_id: int
) -> None:
    """Raises `NotFoundError`."""
    touched = execute(
        connection,
        _statement(
            shelf, "DELETE FROM {table} WHERE {key} = %(entry_id)s AND user_id = %(user_id)s"
        ),
        user_id=user_id,
        entry_id=entry_id,
    )
    if touched == 0:
        raise _no_such(shelf)


def _statement(shelf: Shelf[Any], template: LiteralString) -> Composed:
    """`{columns}` are those of the text, `{values}` the arguments of the same names."""
    names = [field.name for field in fields(shelf.text_type)]
    return SQL(template).format(
        table=Identifier(shelf.table),
        key=Identifier(shelf.key),
        columns=SQL(", ").join(map(Identifier, names)),
        values=SQL(", ").join(map(Placeholder, names)),
    )


def _existing(shelf: Shelf[Text], row: Row | None) -> Entry[Text]:
    if row is None:
        raise _no_such(shelf)
    return _from_row(shelf, row)


def _no_such(shelf: Shelf[Text]) -> NotFoundError:
    return NotFoundError(f"There is no such {shelf.noun}.")


def _from_row(shelf: Shelf[Text], row: Row) -> Entry[Text]:
    text = shelf.text_type(**{field.name: row[field.name] for field in fields(shelf.text_type)})
    return Entry(entry_id=row[shelf.key], text=text, created_at=row["created_at"])

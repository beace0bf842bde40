"""Writes the statements that all kinds of jobs share, with the names of one kind's table."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import LiteralString

from psycopg2.sql import SQL, Composable, Composed, Identifier, Placeholder

from shared.db import PgConnection, Prepared, Row, execute, fetch_row, fetch_rows
from shared.models.job_kinds import Derivation


def change_rows(
    connection: PgConnection, derivation: Derivation, template: LiteralString, **args: object
) -> int:
    """Run a statement for this kind. Returns how many rows it changed."""
    return execute(connection, statement_for(derivation, template), **args)


def read_row(
    connection: PgConnection, derivation: Derivation, template: LiteralString, **args: object
) -> Row | None:
    """The first row, or None. The statement is prepared."""
    return fetch_row(connection, prepared_for(derivation, template), **args)


def read_rows(
    connection: PgConnection, derivation: Derivation, template: LiteralString, **args: object
) -> list[Row]:
    return fetch_rows(connection, statement_for(derivation, template), **args)


def statement_for(derivation: Derivation, template: LiteralString, **parts: Composed) -> Composed:
    """`template` with this kind's names, and with `parts`.

    `emptied` takes the product and the parts out of a row, `without_parts` the parts alone. These
    assignments have a comma before each.
    """
    return SQL(template).format(**parts, **_names(derivation))


@functools.cache
def prepared_for(
    derivation: Derivation, template: LiteralString, columns: tuple[str, ...] = ()
) -> Prepared:
    """The same, prepared. `columns` gives the template an assignment of each, a comma before it."""
    assigned = (SQL(", {} = {}").format(Identifier(name), Placeholder(name)) for name in columns)
    return Prepared(statement_for(derivation, template, columns=SQL("").join(assigned)))


@functools.cache
def _names(derivation: Derivation) -> dict[str, Composable]:
    parts = ("parts",) if derivation.has_parts else ()
    return {
        "emptied": _reset((*derivation.products, *parts)),
        "without_parts": _reset(parts),
        "table": Identifier(derivation.table),
        "id": Identifier(derivation.id_column),
        "start": Identifier(derivation.start_column),
        "end": Identifier(derivation.end_column),
    }


def _reset(columns: Iterable[str]) -> Composed:
    return SQL("").join(SQL(", {} = DEFAULT").format(Identifier(name)) for name in columns)

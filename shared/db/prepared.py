"""Statements that the server reads and plans once for each connection.

For a statement of a round the server would spend more time on that than on its rows. A statement
whose best plan differs between users is not prepared.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import LiteralString

from psycopg2.sql import Composed

from shared.db.connection import PgConnection

_ARGUMENT = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, eq=False)
class Prepared:
    """A statement that is prepared at its first use on a connection, and known there from then on.

    It names its columns: the server refuses a prepared `*` once a migration has added one. The
    types of arguments are read from their places in it; a list of texts stands as `%(x)s::text[]`.

    Behind a pooler, which may lend another connection for the next transaction, it is sent whole.
    """

    whole: LiteralString | Composed


@functools.cache
def prepared(sql: LiteralString) -> Prepared:
    """The same object for the same text, by which connections know it."""
    return Prepared(sql)


def is_direct(connection: PgConnection) -> bool:
    """Whether the connection ends at one process of the server, without a pooler between.

    A pooler gives its clients process ids of its own making.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row = cursor.fetchone()
    return row == (connection.get_backend_pid(),)


def preparation(name: str, text: str) -> LiteralString:
    """`text` keeps its doubled percent signs, as the driver expects them."""
    numbers = {argument: number for number, argument in enumerate(_arguments(text), start=1)}
    numbered = _ARGUMENT.sub(lambda match: f"${numbers[match[1]]}", text)
    return f"PREPARE {name} AS {numbered};"


def execution(name: str, text: str) -> LiteralString:
    values = ", ".join(f"%({argument})s" for argument in _arguments(text))
    return f"EXECUTE {name}({values})" if values else f"EXECUTE {name}"


def _arguments(text: str) -> list[str]:
    """The names of the arguments, each once, in their order."""
    return list(dict.fromkeys(_ARGUMENT.findall(text)))

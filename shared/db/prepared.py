"""Statements that the server reads and plans once for each connection.

For a statement of a search the server would spend more time on that than on its rows. The plan is
the same for all users, so a statement whose best plan differs between them is not prepared.
"""

from __future__ import annotations

import functools
import re
from typing import Any, LiteralString

from psycopg2 import errors as pg_errors

from shared.db.connection import OwnConnection, PgConnection
from shared.db.statements import execute, fetch_tuples

_ARGUMENT = re.compile(r"%\((\w+)\)s")
# The server knows the statement no longer, or a migration has changed the type of a column in it.
_STALE = (pg_errors.InvalidSqlStatementName, pg_errors.FeatureNotSupported)


def fetch_prepared(
    connection: PgConnection, sql: LiteralString, **args: object
) -> list[tuple[Any, ...]]:
    """All rows as tuples, by a statement that is prepared at its first use.

    `sql` names its columns: `*` would be other columns after a migration. The types of arguments
    are read from their places in it; a list of texts stands as `%(x)s::text[]`.

    Behind a pooler, which may lend another connection for the next transaction, it is sent whole.
    """
    if not isinstance(connection, OwnConnection) or not connection.can_prepare:
        return fetch_tuples(connection, sql, **args)
    if sql not in connection.prepared:
        name = f"prepared_{len(connection.prepared)}"
        execute(connection, _preparation(name, sql), **args)
        connection.prepared[sql] = _execution(name, sql)
    execution: LiteralString = connection.prepared[sql]
    try:
        return fetch_tuples(connection, execution, **args)
    except _STALE:
        connection.can_prepare = False
        raise


def is_direct(connection: PgConnection) -> bool:
    """Whether the connection ends at one process of the server, without a pooler between.

    A pooler gives its clients process ids of its own making.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row = cursor.fetchone()
    return row == (connection.get_backend_pid(),)


def _preparation(name: str, sql: LiteralString) -> LiteralString:
    """`sql` keeps its doubled percent signs, as the driver expects them."""
    numbers = {argument: number for number, argument in enumerate(_arguments(sql), start=1)}
    numbered = _ARGUMENT.sub(lambda match: f"${numbers[match[1]]}", sql)
    return f"PREPARE {name} AS {numbered}"


def _execution(name: str, sql: LiteralString) -> LiteralString:
    values = ", ".join(f"%({argument})s" for argument in _arguments(sql))
    return f"EXECUTE {name}({values})" if values else f"EXECUTE {name}"


@functools.cache
def _arguments(sql: LiteralString) -> list[str]:
    """The names of the arguments, each once, in their order."""
    return list(dict.fromkeys(_ARGUMENT.findall(sql)))

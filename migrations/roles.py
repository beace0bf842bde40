"""The application's role: it reads and writes rows, and owns nothing.

Migrations run as the owner of the schema (MIGRATION_DATABASE_URL). Where DATABASE_URL names another
role, each run creates it if it is missing, and grants it what it needs and no more. So an attacker
who gets in through the application can neither change the schema nor leave the database.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import connection as Connection  # noqa: N812 - a type
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
from psycopg2.extensions import parse_dsn

from migrations.upkeep import LOCK_KEY
from migrations.upkeep import ROLE as UPKEEP

# What the application's role must not have. `rolsuper` includes the others.
POWERS = ("rolsuper", "rolcreaterole", "rolcreatedb", "rolreplication", "rolbypassrls")

_CREATE = (
    "CREATE ROLE {role} LOGIN PASSWORD {password}"
    " NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
)
_GRANTS = """
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    REVOKE CONNECT, TEMPORARY ON DATABASE {database} FROM PUBLIC;
    GRANT CONNECT ON DATABASE {database} TO {role};
    GRANT USAGE ON SCHEMA public TO {role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role};
    REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {role};
    GRANT {upkeep} TO {role} WITH INHERIT FALSE;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public
        GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO {role};
"""
# Each sees rows of all users, or the salt of ids. An older schema has some of them only.
_FUNCTIONS = (
    "new_id",
    "own_messages_containing", "count_own_messages_containing", "own_passages_containing",
    "use_api_token", "find_share", "list_due_webhooks", "lease_webhook",
)  # fmt: skip
_GRANT_FUNCTION = """
    REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION {function} TO {role};
"""


@dataclass(frozen=True)
class Login:
    """The role that a database URL signs in as."""

    role: str
    password: str | None

    @classmethod
    def of(cls, database_url: str) -> Login:
        parts = parse_dsn(database_url)
        return cls(role=parts.get("user", ""), password=parts.get("password"))


def grant_application(owner_url: str, database_url: str) -> None:
    """Create the role of `database_url` and grant it its rights. Nothing if it is the owner."""
    with closing(psycopg2.connect(owner_url, connect_timeout=5)) as connection, connection:
        grant_application_within(connection, database_url)


def grant_application_within(connection: Connection, database_url: str) -> None:
    """`grant_application`, in the caller's transaction. `connection` is the owner's."""
    login = Login.of(database_url)
    if not login.role or login.role == connection.info.user:
        return
    cursor = connection.cursor()
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_KEY,))
    _ensure_role(cursor, login)
    cursor.execute(
        sql.SQL(_GRANTS).format(
            role=sql.Identifier(login.role),
            upkeep=sql.Identifier(UPKEEP),
            database=sql.Identifier(connection.info.dbname),
        )
    )
    for function in _list_functions(cursor):
        cursor.execute(
            sql.SQL(_GRANT_FUNCTION).format(
                function=sql.Identifier(function), role=sql.Identifier(login.role)
            )
        )


def list_powers(database_url: str) -> list[str]:
    """Which of `POWERS` the role of this URL has."""
    with closing(psycopg2.connect(database_url, connect_timeout=5)) as connection, connection:
        cursor = connection.cursor()
        cursor.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
            " FROM pg_roles WHERE rolname = current_user"
        )
        has = cursor.fetchone() or ()
    return [power for power, is_had in zip(POWERS, has, strict=True) if is_had]


def _list_functions(cursor: Cursor) -> list[str]:
    """Those of `_FUNCTIONS` that the schema has."""
    cursor.execute(
        "SELECT proname FROM pg_proc"
        " WHERE pronamespace = 'public'::regnamespace AND proname = ANY(%s)",
        (list(_FUNCTIONS),),
    )
    return [name for (name,) in cursor.fetchall()]


def _ensure_role(cursor: Cursor, login: Login) -> None:
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", (login.role,))
    if cursor.fetchone() is None:
        cursor.execute(
            sql.SQL(_CREATE).format(
                role=sql.Identifier(login.role), password=sql.Literal(login.password)
            )
        )

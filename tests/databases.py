"""Databases that one test hands to the next: emptied, and checked in between.

To empty one takes some milliseconds, a fresh copy of the template a tenth of a second and more.
The connection that does so is kept, too: a new one would read the whole catalog again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import connection as Connection  # noqa: N812 - a type
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type

from supervisor.embedded.postgres import Postgres
from tests.waiting import wait_for

TEMPLATE = "template_throughline"

#: Written by migrations alone. A change of the first is seen in the fingerprint.
MIGRATED = ("alembic_version", "id_salt")

LIST_TABLES = """
    SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
#: What connections are called that outlive their tests.
APPLICATION = "tests"
IS_PLANNED = "SELECT FROM pg_prepared_statements WHERE name = 'filled'"
COUNT_CLIENTS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND application_name <> 'tests'
"""
DISCONNECT = COUNT_CLIENTS.replace("count(*)", "count(pg_terminate_backend(pid))")
RESET_SEQUENCES = """
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE last_value IS NOT NULL
"""
#: Everything but rows that a test could leave behind: the schema, rights, settings and roles.
FINGERPRINT = """
    SELECT md5(string_agg(line, chr(10) ORDER BY line)) FROM (
        SELECT concat_ws('|', version_num) FROM alembic_version
        UNION ALL
        SELECT concat_ws('|', oid, relname, relkind, relacl, relrowsecurity, reloptions)
        FROM pg_class WHERE relnamespace = 'public'::regnamespace
        UNION ALL
        SELECT concat_ws('|', attrelid, attname, atttypid, attnotnull, attstattarget)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND attnum > 0
        UNION ALL
        SELECT concat_ws('|', proacl, pg_get_functiondef(p.oid))
        FROM pg_proc p JOIN pg_language l ON l.oid = prolang AND lanname <> 'c'
        WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
        UNION ALL
        SELECT concat_ws('|', oid, conname) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
        UNION ALL
        SELECT concat_ws('|', oid, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL
        SELECT concat_ws('|', oid, polname) FROM pg_policy
        UNION ALL
        SELECT concat_ws('|', setrole, setconfig)
        FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = setdatabase
        WHERE setdatabase = 0 OR datname = current_database()
        UNION ALL
        SELECT concat_ws('|', datacl, datallowconn, datconnlimit) FROM pg_database
        WHERE datname = current_database()
        UNION ALL
        SELECT concat_ws('|', rolname, rolsuper, rolcreatedb, rolcreaterole, rolconnlimit)
        FROM pg_roles) AS lines (line)
"""


class Spare(NamedTuple):
    """A database that waits for a test."""

    name: str
    fingerprint: str
    #: The test that had it before.
    previous_test: str


@dataclass
class Databases:
    """The databases of one server. One thread uses it."""

    postgres: Postgres
    _spare: list[Spare] = field(default_factory=list)
    #: The owner's, by the name of the database.
    _connections: dict[str, Connection] = field(default_factory=dict)
    _count: int = 0

    @contextmanager
    def lend(self) -> Iterator[str]:
        """The URL of a migrated, empty database, which another test gets afterwards."""
        name, fingerprint, previous_test = self._spare.pop() if self._spare else self._make()
        self._check(name, previous_test)
        yield self.postgres.url_of(name)
        self._clean(name, fingerprint)
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        self._spare.append(Spare(name, fingerprint, test))

    @contextmanager
    def copy(self, template: str = TEMPLATE) -> Iterator[str]:
        """The URL of a fresh copy of `template`, dropped afterwards whoever is still connected."""
        name = self._create(template)
        try:
            yield self.postgres.url_of(name)
        finally:
            self._drop(name)

    def create(self, name: str, template: str) -> None:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(statement.format(sql.Identifier(name), sql.Identifier(template)))

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()

    def _create(self, template: str) -> str:
        self._count += 1
        name = f"test_{self._count}"
        self.create(name, template)
        return name

    def _make(self) -> Spare:
        name = self._create(TEMPLATE)
        with self._cursor(name) as cursor:
            return Spare(name, str(fetch_value(cursor, FINGERPRINT)), "")

    def _check(self, name: str, previous_test: str) -> None:
        """Fail if the test before still writes."""
        with self._cursor(name) as cursor:
            clients, tables = fetch_value(cursor, COUNT_CLIENTS), list_filled(cursor)
        assert not tables, f"{previous_test} wrote after its end: {tables}"
        assert not clients, f"{previous_test} left {clients} connections that came back"

    def _clean(self, name: str, fingerprint: str) -> None:
        """Fail if more than rows was changed."""
        with self._cursor(name) as cursor:
            cursor.execute(DISCONNECT)
            wait_for(lambda: fetch_value(cursor, COUNT_CLIENTS) == 0)
            assert fetch_value(cursor, FINGERPRINT) == fingerprint, (
                "This test changed the schema, rights, settings or roles of a database that others"
                " use. Mark it with `changes_schema`: then it gets a copy of its own."
            )
            empty(cursor)

    def _drop(self, name: str) -> None:
        statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
        self._execute(statement.format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with self._cursor("postgres") as cursor:
            cursor.execute(statement)

    def _cursor(self, name: str) -> Cursor:
        """A cursor of the owner, who sees all rows. Each statement is a transaction."""
        if name not in self._connections:
            url = self.postgres.url_of(name)
            self._connections[name] = psycopg2.connect(url, application_name=APPLICATION)
            self._connections[name].autocommit = True
        return self._connections[name].cursor()


def empty(cursor: Cursor) -> None:
    """Delete all rows, and begin all numbers again.

    `TRUNCATE` would take a hundred times as long: it makes new files.
    """
    tables = list_filled(cursor)
    cursor.execute("SET session_replication_role = replica")  # no triggers, no foreign keys
    for table in tables:
        cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
    cursor.execute(RESET_SEQUENCES)


def list_filled(cursor: Cursor) -> list[str]:
    """The tables that have rows, but for those of the migrations.

    To plan the query takes ten times as long as to answer it, so a connection plans it once.
    """
    cursor.execute(IS_PLANNED)
    if cursor.rowcount == 0:
        plan_filled(cursor)
    cursor.execute("EXECUTE filled")
    return [name for (name,) in cursor.fetchall()]


def plan_filled(cursor: Cursor) -> None:
    cursor.execute(LIST_TABLES)
    tables = [name for (name,) in cursor.fetchall() if name not in MIGRATED]
    parts = (
        sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(
            sql.Literal(table), sql.Identifier(table)
        )
        for table in tables
    )
    cursor.execute(sql.SQL("PREPARE filled AS ") + sql.SQL(" UNION ALL ").join(parts))


def fetch_value(cursor: Cursor, statement: str) -> object:
    cursor.execute(statement)
    row = cursor.fetchone()
    assert row is not None
    return row[0]

"""The schema of today with every user's table hash-partitioned by `user_id`, in a scratch database.

It is made from what Postgres itself says of the tables, so it follows the migrations. A partitioned
table allows unique keys and foreign keys only with the column that it is partitioned by, and so
does a table that Citus distributes. Keys without `user_id` get it as their last column; they are
the list of what a real change would have to widen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from shared.db import PgConnection, Row, fetch_rows

OWNED = """
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1
"""
CONSTRAINTS = """
    SELECT r.relname AS table, conname AS name, contype::text AS kind,
           pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class r ON r.oid = conrelid
    WHERE r.relnamespace = 'plain'::regnamespace AND contype IN ('p', 'u', 'f')
    ORDER BY contype = 'f', contype, 1, 2
"""
INDEXES = """
    SELECT t.relname AS table, i.relname AS name, x.indisunique AS is_unique,
           pg_get_indexdef(i.oid) AS definition
    FROM pg_index x JOIN pg_class i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
    WHERE t.relnamespace = 'plain'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u'))
    ORDER BY 1, 2
"""
TRIGGERS = """
    SELECT pg_get_triggerdef(g.oid) AS definition FROM pg_trigger g
    JOIN pg_class c ON c.oid = tgrelid
    WHERE c.relnamespace = 'plain'::regnamespace AND NOT tgisinternal
"""
POLICIES = """
    SELECT tablename AS table, policyname AS name, cmd AS command,
           array_to_string(roles, ',') AS roles, qual, with_check
    FROM pg_policies WHERE schemaname = 'plain'
"""
COLUMNS = """
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute
    WHERE attrelid = ('plain.' || %(table)s)::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''
"""
FUNCTIONS = """
    SELECT pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosrc LIKE '%%ON CONFLICT (%%'
"""
NUMBERED = """
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = ('public.' || %(table)s)::regclass AND attidentity <> ''
"""
NEXT_NUMBER = """
    SELECT setval(pg_get_serial_sequence('public.{0}', '{1}'), max({1}) + 1, false) FROM {0}
"""
# A row is sent to its partition before `set_owner` could find out whose it is.
LATE_OWNERS = """
    SELECT c.relname AS name FROM pg_trigger g JOIN pg_class c ON c.oid = tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'p'
      AND tgfoid = 'set_owner'::regproc
    ORDER BY 1
"""
CONFLICT = re.compile(r"ON CONFLICT \(([^)]*)\)")
VIEW = "SELECT pg_get_viewdef('public.jobs'::regclass) AS definition"


@dataclass
class Widened:
    """What had to get `user_id`, each as `table: name (columns)`."""

    unique_keys: list[str] = field(default_factory=list)
    foreign_keys: list[str] = field(default_factory=list)
    #: Those that have it.
    ready_unique_keys: int = 0
    ready_foreign_keys: int = 0

    def count_ready(self, *, is_foreign: bool) -> None:
        self.ready_foreign_keys += is_foreign
        self.ready_unique_keys += not is_foreign


def partition(connection: PgConnection, partitions: int) -> Widened:
    """Replace the users' tables by partitioned ones that hold the same rows."""
    widened = Widened()
    [view] = fetch_rows(connection, VIEW)
    _run(connection, "DROP VIEW jobs; CREATE SCHEMA plain")
    tables = [row["name"] for row in fetch_rows(connection, OWNED)]
    for table in tables:
        _run(connection, f"ALTER TABLE public.{table} SET SCHEMA plain")
    for table in tables:
        _make_table(connection, table, partitions)
    for row in fetch_rows(connection, CONSTRAINTS):
        definition = _widen_constraint(row, widened)
        _run(connection, f"ALTER TABLE {row['table']} ADD CONSTRAINT {row['name']} {definition}")
    for row in fetch_rows(connection, INDEXES):
        _run(connection, _widen_index(row, widened))
    for row in fetch_rows(connection, TRIGGERS):
        _run(connection, _public(row["definition"]))
    _make_policies(connection)
    body = _public(view["definition"])
    _run(connection, f"CREATE VIEW jobs WITH (security_invoker='true') AS {body}")
    _run(connection, "ANALYZE")
    return widened


def widen_conflicts(statement: str) -> str:
    """With `user_id` in each `ON CONFLICT` that names no user."""
    return CONFLICT.sub(
        lambda found: found[0] if "user" in found[1] else f"ON CONFLICT ({found[1]}, user_id)",
        statement,
    )


def widen_functions(connection: PgConnection) -> None:
    for row in fetch_rows(connection, FUNCTIONS):
        _run(connection, widen_conflicts(row["definition"]))


def default_owners(connection: PgConnection) -> list[str]:
    """Let rows without `user_id` be those of the transaction's user. Returns whose tables."""
    tables = [row["name"] for row in fetch_rows(connection, LATE_OWNERS)]
    for table in tables:
        _run(connection, f"ALTER TABLE {table} ALTER user_id "
                         "SET DEFAULT current_setting('throughline.user_id', true)")  # fmt: skip
    return tables


def _make_table(connection: PgConnection, table: str, partitions: int) -> None:
    """With its rows, before there are keys and triggers."""
    _run(connection, f"CREATE TABLE public.{table} (LIKE plain.{table} INCLUDING DEFAULTS "
                     f"INCLUDING GENERATED INCLUDING IDENTITY INCLUDING STORAGE "
                     f"INCLUDING CONSTRAINTS) PARTITION BY HASH (user_id)")  # fmt: skip
    for number in range(partitions):
        _run(connection, f"CREATE TABLE public.{table}_{number} PARTITION OF public.{table} "
                         f"FOR VALUES WITH (MODULUS {partitions}, REMAINDER {number})")  # fmt: skip
    [columns] = fetch_rows(connection, COLUMNS, table=table)
    copy = "INSERT INTO public.{0} ({1}) OVERRIDING SYSTEM VALUE SELECT {1} FROM plain.{0}"
    _run(connection, copy.format(table, columns["names"]))
    for row in fetch_rows(connection, NUMBERED, table=table):
        _run(connection, NEXT_NUMBER.format(table, row["name"]))


def _widen_constraint(row: Row, widened: Widened) -> str:
    definition = _public(row["definition"])
    is_foreign = row["kind"] == "f"
    [columns, *_] = re.findall(r"\(([^)]*)\)", definition)
    if "user_id" in columns.split(", "):
        widened.count_ready(is_foreign=is_foreign)
        return definition
    listed = widened.foreign_keys if is_foreign else widened.unique_keys
    listed.append(f"{row['table']}: {row['name']} ({columns})")
    return re.sub(r"\(([^)]*)\)", r"(\1, user_id)", definition, count=2 if is_foreign else 1)


def _widen_index(row: Row, widened: Widened) -> str:
    definition = _public(row["definition"])
    if not row["is_unique"]:
        return definition
    [columns] = re.findall(r"USING \w+ \((.*?)\)", definition)
    if "user_id" in columns.split(", "):
        widened.count_ready(is_foreign=False)
        return definition
    widened.unique_keys.append(f"{row['table']}: {row['name']} ({columns})")
    return re.sub(r"(USING \w+ \(.*?)\)", r"\1, user_id)", definition, count=1)


def _make_policies(connection: PgConnection) -> None:
    for row in fetch_rows(connection, POLICIES):
        using = f"USING ({row['qual']})" if row["qual"] else ""
        check = f"WITH CHECK ({row['with_check']})" if row["with_check"] else ""
        table = row["table"]
        _run(connection, f"CREATE POLICY {row['name']} ON {table} FOR {row['command']} "
                         f"TO {row['roles']} {using} {check}")  # fmt: skip
        _run(connection, f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        _run(connection, f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def _public(definition: str) -> str:
    return definition.replace("plain.", "public.")


def _run(connection: PgConnection, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)

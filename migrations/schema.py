"""`python -m migrations.schema`: write `schema.sql` anew, with the newest migrations in it.

It starts a Postgres of its own in a temporary folder, makes a database from the file as it is,
applies the migrations that are newer, and reads the schema with that Postgres' own pg_dump. Nothing
else needs to run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from migrations import SCHEMA_FILE, upgrade
from shared.store.upkeep.schema import read_revision
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.service import start, stop

MAX_LINE = 100

_HEADER = """\
-- The whole schema as it is today. It makes a new database; migrations change an existing one.
-- `make schema` writes this file anew after a new migration.
-- Every table stands below those that it refers to, followed by its indexes, triggers and policies.

SET LOCAL check_function_bodies = false; -- functions stand above the tables that they read

-- The policies name this role. It belongs to the server, and may be there for another database.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'throughline_upkeep') THEN
        CREATE ROLE throughline_upkeep NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another migration was quicker
    WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING MESSAGE =
            'Create the role first: CREATE ROLE throughline_upkeep NOLOGIN';
END $$;

"""
_FOOTER = """

INSERT INTO id_salt DEFAULT VALUES; -- by which `new_id` differs from that of other databases

CREATE TABLE alembic_version (
    version_num character varying(32) CONSTRAINT alembic_version_pkc PRIMARY KEY
);
INSERT INTO alembic_version VALUES ('{revision}');
"""
_OPTIONS = ("--schema-only", "--no-owner", "--no-privileges", "--exclude-table=alembic_version")
_ENTRY = re.compile(r"^-- Name: .+; Type: (?P<kind>[A-Z ]+); Schema: .*\n--\n", re.MULTILINE)
_NOISE = re.compile(r"^(?:--.*|SET default_.*|\\unrestrict .*)\n?|\bpublic\.", re.MULTILINE)
_TABLE = {
    "TABLE": re.compile(r"CREATE TABLE (\w+)"),
    "SEQUENCE": re.compile(r"ALTER TABLE (\w+) ALTER COLUMN"),  # of an identity column
    "CONSTRAINT": re.compile(r"ALTER TABLE ONLY (\w+)"),
    "FK CONSTRAINT": re.compile(r"ALTER TABLE ONLY (\w+)"),
    "INDEX": re.compile(r" ON (\w+)"),
    "TRIGGER": re.compile(r" ON (\w+)"),
    "ROW SECURITY": re.compile(r"ALTER TABLE (\w+)"),
    "POLICY": re.compile(r" ON (\w+)"),
}
_CONSTRAINT = re.compile(r"ADD (CONSTRAINT .+);")
_IDENTITY = re.compile(r"ALTER COLUMN (\w+) ADD (GENERATED \w+(?: \w+)? AS IDENTITY)")
_REFERENCE = re.compile(r"REFERENCES (\w+)")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One object of pg_dump's output."""

    #: pg_dump's name of the kind: TABLE, INDEX, FK CONSTRAINT …
    kind: str
    sql: str

    @property
    def table(self) -> str | None:
        """The table that this entry creates or belongs to. None: it belongs to no table."""
        pattern = _TABLE.get(self.kind)
        match = pattern.search(self.sql) if pattern else None
        return match[1] if match else None


def main() -> None:
    with _migrated_database() as (database_url, pg_dump):
        SCHEMA_FILE.write_text(dump_schema(database_url, pg_dump), encoding="utf-8")


def dump_schema(database_url: str, pg_dump: Path) -> str:
    """The schema of a database in the form of `schema.sql`."""
    done = subprocess.run(  # noqa: S603 - the program of our own Postgres
        [pg_dump, *_OPTIONS, database_url], capture_output=True, text=True, check=True
    )
    return arrange(done.stdout) + _FOOTER.format(revision=read_revision(database_url))


def arrange(dump: str) -> str:
    """Group the entries by table, and leave out comments."""
    entries = [entry for entry in _split(dump) if entry.kind != "COMMENT"]
    by_table: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.table:
            by_table.setdefault(entry.table, []).append(entry)
    alone = [entry for entry in entries if entry.table is None]
    parts = [
        *(entry.sql for entry in alone if entry.kind != "VIEW"),
        *(_render_table(by_table[table]) for table in _sort_by_reference(by_table)),
        *(entry.sql for entry in alone if entry.kind == "VIEW"),
    ]
    return _HEADER + "\n\n".join(parts)


def _split(dump: str) -> list[Entry]:
    _, *parts = _ENTRY.split(dump)
    kinds, bodies = parts[::2], parts[1::2]
    return [
        Entry(kind=kind, sql=_NOISE.sub("", body).strip())
        for kind, body in zip(kinds, bodies, strict=True)
    ]


def _sort_by_reference(by_table: dict[str, list[Entry]]) -> list[str]:
    """Sort tables by name, but put each one after the tables that its foreign keys refer to."""
    ordered: dict[str, None] = {}

    def add(table: str) -> None:
        references = (_REFERENCE.findall(entry.sql) for entry in by_table[table])
        for other in sorted({name for names in references for name in names} - {table}):
            add(other)
        ordered[table] = None

    for table in sorted(by_table):
        add(table)
    return list(ordered)


def _render_table(entries: Sequence[Entry]) -> str:
    """CREATE TABLE with all constraints inside, then the table's indexes, triggers and policies."""
    [create] = [entry.sql for entry in entries if entry.kind == "TABLE"]
    create = create.replace("\n\nALTER", "\nALTER")
    inside: list[str] = []
    below: list[str] = []
    for entry in entries:
        if identity := _IDENTITY.search(entry.sql):
            column = re.compile(rf"^(    {identity[1]} \w+)", re.MULTILINE)
            create = column.sub(rf"\1 {identity[2]}", create)
        elif constraint := _CONSTRAINT.search(entry.sql):
            inside.append(f",\n    {constraint[1]}")
        elif entry.kind != "TABLE":
            below.append(_break_line(entry.sql))
    return "\n".join([create.replace("\n)", f"{''.join(inside)}\n)", 1), *below])


def _break_line(sql: str) -> str:
    """Break an index or trigger that is too long for one line."""
    sql = sql.replace(" USING btree ", " ")
    if len(sql) <= MAX_LINE:
        return sql
    return re.sub(r" (ON \w+|FOR EACH ROW|WHERE|EXECUTE)\b", r"\n    \1", sql)


@contextmanager
def _migrated_database() -> Iterator[tuple[str, Path]]:
    """The URL of a temporary, migrated database, and the path of pg_dump."""
    folder = Path(tempfile.mkdtemp(prefix="throughline-schema-")).resolve()
    folder.chmod(0o711)
    owner = find_owner()
    data = make_data_folder(folder, owner)
    postgres = Postgres(data / "postgres", make_socket_folder(data, owner), owner, durable=False)
    process = start(postgres, data / "postgres.log")
    try:
        upgrade(postgres.url)
        yield postgres.url, postgres.pg_dump
    finally:
        stop(postgres, process)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

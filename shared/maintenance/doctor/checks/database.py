"""Postgres: reach, versions, clock, schema, extension, roles."""

from __future__ import annotations

import platform
import time

from shared.db import ADVICE, Database, name_fault
from shared.errors import DatabaseUnavailableError
from shared.maintenance.doctor.examined_site import Finding, Site, ok, problem, skipped
from shared.store.upkeep import row_security, schema, server
from shared.store.upkeep.server import Server

OLDEST = 160_000  # Postgres 16
MOST_APART_S = 5.0
MIGRATE = "bin/throughline migrate"


def check_reach(site: Site) -> Finding:
    if site.services is None:
        return skipped("the site does not run: make run starts it")
    try:
        _read_server(site)
    except DatabaseUnavailableError as exc:
        fault = name_fault(exc)
        return problem(f"Postgres cannot be used: {fault}", ADVICE[fault])
    return ok("Postgres answers")


def check_writing(site: Site) -> Finding:
    if fault := server.find_write_fault(_database(site)):
        return problem(f"Postgres takes no messages: {fault}", ADVICE[fault])
    return ok("Postgres takes writes")


def check_versions(site: Site) -> Finding:
    postgres = _read_server(site)
    if postgres.version_number < OLDEST:
        return problem(f"Postgres is {postgres.version}", "bring it to 16 or newer")
    python = platform.python_version()
    vector = postgres.vector_version or "missing"
    return ok(f"Postgres {postgres.version}, pgvector {vector}, Python {python}")


def check_clock(site: Site) -> Finding:
    """Compare this machine's clock, of files and tokens, with that of Postgres, of leases."""
    apart_s = abs(_read_server(site).now_s - time.time())
    if apart_s > MOST_APART_S:
        return problem(
            f"the clocks of this machine and of Postgres are {apart_s:.0f} s apart",
            "set both by NTP, and their time zones",
        )
    return ok("its clock is this machine's")


def check_schema(site: Site) -> Finding:
    with _database(site).transaction() as connection:
        revision = schema.find_revision(connection)
    if schema.is_enough(revision):
        return ok(f"the schema is {revision}")
    return problem(f"the schema is {revision or 'missing'}, needed is {schema.NEEDED}", MIGRATE)


def check_extension(site: Site) -> Finding:
    if _read_server(site).vector_version is None:
        return problem(
            "the extension vector is missing in the database",
            "CREATE EXTENSION vector, and restore what was dropped with it",
        )
    return ok("the extension vector is there")


def check_roles(site: Site) -> Finding:
    postgres = _read_server(site)
    if postgres.closed_tables or not postgres.may_upkeep:
        return problem("the role of DATABASE_URL lacks rights", f"{MIGRATE}, which grants them")
    with _database(site).transaction() as connection:
        is_bound = row_security.is_bound(connection)
    if not is_bound:
        return problem(
            "row-level security keeps no users apart: the role of DATABASE_URL sees all rows",
            "set MIGRATION_DATABASE_URL to the owner, and DATABASE_URL to a role that owns nothing",
        )
    return ok("the role of DATABASE_URL has its rights, and sees one user at a time")


def _read_server(site: Site) -> Server:
    with _database(site).transaction() as connection:
        return server.read_server(connection)


def _database(site: Site) -> Database:
    assert site.services is not None  # noqa: S101 - `check_reach` comes first
    return site.services.database

"""Restore a dump into a new schema `public`, and put it in the place of the site's.

All is one transaction, with the migrations and rights that the dump needs. The site goes on with
its own schema until the end, and for good if anything fails or this process dies: then Postgres
takes everything back. Nothing is renamed for others, no connection is ended and no database made,
which a managed Postgres may refuse. The extension moves along, so that its types stay the same for
open connections; what they have prepared is planned anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psycopg2
from psycopg2.errors import DeadlockDetected, LockNotAvailable
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
from sqlalchemy import Connection, create_engine, pool
from sqlalchemy.exc import SQLAlchemyError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random

from migrations import PATIENCE_S, upgrade_within
from migrations.__main__ import configure
from migrations.restore_script import run_script
from migrations.roles import grant_application_within
from shared.db import PgConnection, engine_url
from shared.maintenance.backup import postgres_tools
from shared.maintenance.backup.backup_faults import BackupError, says_full
from shared.maintenance.commands import CommandError
from shared.settings import Settings
from shared.store.upkeep import backups

MOVED = (
    "The extension {names} belongs to another role, so this one cannot move it: let a superuser \
say ALTER ROLE … SUPERUSER for the restore, and NOSUPERUSER afterwards."
)

_TAKE_TIME = """
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL client_connection_check_interval = '2s'; -- end soon when this process is killed
"""
_BEGIN = """
    ALTER SCHEMA public RENAME TO throughline_replaced;
    CREATE SCHEMA public AUTHORIZATION pg_database_owner;
    GRANT USAGE ON SCHEMA public TO PUBLIC;
"""
_LIST_EXTENSIONS = """
    SELECT quote_ident(extname), pg_has_role(extowner, 'USAGE')
    FROM pg_extension WHERE extnamespace = 'public'::regnamespace
"""
# Numbers in Redis, and in processes that are still at work, are never given a second time.
_GO_ON_COUNTING = """
    SELECT setval(format('public.%I', restored.sequencename)::regclass, replaced.last_value)
    FROM pg_sequences AS replaced JOIN pg_sequences AS restored USING (sequencename)
    WHERE replaced.schemaname = 'throughline_replaced' AND restored.schemaname = 'public'
      AND replaced.last_value > coalesce(restored.last_value, 0)
"""
# The backup may be of a site that lives on elsewhere.
_REMAIN_THE_SITE = """
    DELETE FROM site;
    INSERT INTO site SELECT * FROM throughline_replaced.site;
"""
_LIST_FOREIGN_TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'throughline_replaced'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      AND to_regclass(format('public.%I', relname)) IS NULL
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname
"""
# Rounds hold locks on the tables that go: wait for a moment without them.
_DROP = """
    SET LOCAL lock_timeout = '500ms';
    DROP SCHEMA throughline_replaced CASCADE;
    RELEASE SAVEPOINT swap;
"""


def replace_schema(settings: Settings, dump: Path, rows: Mapping[str, int]) -> dict[str, int]:
    """Restore `dump`, which has `rows` by kind, and return how many there are now.

    Raises `CommandError`, and then nothing has changed.
    """
    engine = create_engine(
        engine_url(settings.effective_migration_url),
        poolclass=pool.NullPool,
        connect_args={"connect_timeout": 5},
    )
    try:
        with engine.begin() as connection:
            return _replace(connection, settings, dump, rows)
    except (psycopg2.Error, SQLAlchemyError) as exc:
        text = _first_message(exc)
        raise BackupError(
            "no_room" if says_full(text) else "not_whole",
            f"The dump cannot be restored: {text}. Nothing was changed.",
        ) from exc
    except CommandError as exc:
        raise CommandError(f"{exc.message.removesuffix('.')}. Nothing was changed.") from exc


def _first_message(error: BaseException) -> str:
    """The first error's first line: where the server goes away, taking back fails, too."""
    while isinstance(error.__context__, psycopg2.Error | SQLAlchemyError):
        error = error.__context__
    return str(getattr(error, "orig", error)).partition("\n")[0]


def _replace(
    connection: Connection, settings: Settings, dump: Path, rows: Mapping[str, int]
) -> dict[str, int]:
    raw: PgConnection = connection.connection.driver_connection  # type: ignore[assignment]
    cursor = raw.cursor()
    extensions = _list_extensions(cursor)
    cursor.execute(_TAKE_TIME + _BEGIN)
    for name in extensions:
        cursor.execute(f"ALTER EXTENSION {name} SET SCHEMA public")
    with postgres_tools.restore_script(dump) as script:
        run_script(cursor, script)
    cursor.execute("RESET ALL;" + _TAKE_TIME)  # the script has settings of its own
    upgrade_within(connection, cursor)
    grant_application_within(raw, settings.database_url)
    configure(raw, settings)
    restored_rows = backups.count_rows(raw)
    _check_rows(rows, restored_rows)
    cursor.execute(_GO_ON_COUNTING)
    cursor.execute(_REMAIN_THE_SITE)
    _check_foreign_tables(cursor)
    _drop_replaced(cursor)
    return restored_rows


def _list_extensions(cursor: Cursor) -> list[str]:
    cursor.execute(_LIST_EXTENSIONS)
    extensions: list[tuple[str, bool]] = cursor.fetchall()
    if foreign := [name for name, is_mine in extensions if not is_mine]:
        raise CommandError(MOVED.format(names=", ".join(foreign)))
    return [name for name, _ in extensions]


def _check_rows(rows: Mapping[str, int], restored_rows: Mapping[str, int]) -> None:
    if lost := sorted(name for name, count in rows.items() if restored_rows.get(name) != count):
        raise BackupError(
            "not_whole", f"The dump has not as many as the backup says: {', '.join(lost)}."
        )


def _check_foreign_tables(cursor: Cursor) -> None:
    cursor.execute(_LIST_FOREIGN_TABLES)
    if names := [name for (name,) in cursor.fetchall()]:
        raise CommandError(
            f"The schema public also has tables of another program, which would go: "
            f"{', '.join(names)}. Move them to a schema of their own first."
        )


def _drop_replaced(cursor: Cursor) -> None:
    for attempt in Retrying(
        retry=retry_if_exception_type((LockNotAvailable, DeadlockDetected)),
        stop=stop_after_delay(PATIENCE_S),
        wait=wait_random(0.2, 1),
        before_sleep=lambda _: cursor.execute("ROLLBACK TO SAVEPOINT swap"),
        reraise=True,
    ):
        with attempt:
            cursor.execute("SAVEPOINT swap")
            cursor.execute(_DROP)

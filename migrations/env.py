"""Alembic's entry point: one connection, one transaction (or the caller's), one advisory lock.

People may chat meanwhile. A migration that needs a lock which they hold gives up soon, all of it,
and begins again a moment later: else they would wait behind it, or be its victim in a deadlock.
"""

from __future__ import annotations

from alembic import context
from psycopg2.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, create_engine, pool, text
from sqlalchemy.exc import OperationalError
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from migrations import SCHEMA_FILE, oldest_revision
from shared.db import engine_url
from shared.maintenance.commands import CommandError

# Any number, as long as all processes use the same.
LOCK_KEY = 7_262_817_045
LOCK_TIMEOUT = "500ms"  # less than Postgres's deadlock_timeout, after which it chooses a victim

TOO_OLD = (
    "The database has the schema {current}, and this version upgrades from {oldest} on. Bring it to"
    " {oldest} with the version before (git checkout 03a5b71d), then start this one."
)


def run_migrations() -> None:
    options = context.config.attributes
    if "connection" in options:
        _migrate(options["connection"])
        return
    url = engine_url(options["database_url"])
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5})
    for attempt in Retrying(
        retry=retry_if_exception(_meets_a_lock),
        stop=stop_after_delay(options["patience_s"]),
        wait=wait_random(0.2, 1),
        reraise=True,
    ):
        with attempt, engine.begin() as connection:
            _migrate(connection)
    engine.dispose()


def _migrate(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
    connection.execute(
        text("SELECT set_config('lock_timeout', :time, true)"), {"time": LOCK_TIMEOUT}
    )
    if connection.scalar(text("SELECT to_regclass('alembic_version') IS NULL")):
        _make_schema(connection)
    _check_age(connection)
    context.configure(connection=connection, transaction_per_migration=False)
    context.run_migrations()


def _make_schema(connection: Connection) -> None:
    """Make the whole schema in an empty database. Only migrations newer than the file follow."""
    # The driver's own cursor takes many statements at once.
    cursor = connection.connection.cursor()
    cursor.execute(SCHEMA_FILE.read_text(encoding="utf-8"))
    cursor.close()


def _check_age(connection: Connection) -> None:
    """Raises `CommandError` for a schema from before the baseline."""
    current = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if current is not None and current < oldest_revision():
        raise CommandError(TOO_OLD.format(current=current, oldest=oldest_revision()))


def _meets_a_lock(error: BaseException) -> bool:
    met = (LockNotAvailable, DeadlockDetected)
    return isinstance(error, OperationalError) and isinstance(error.orig, met)


run_migrations()

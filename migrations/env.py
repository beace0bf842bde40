"""Alembic's entry point: one connection, one transaction, one advisory lock."""

from alembic import context
from sqlalchemy import create_engine, pool, text

from shared.db import engine_url

# Any number, as long as all processes use the same.
LOCK_KEY = 7_262_817_045


def run_migrations() -> None:
    url = engine_url(context.config.attributes["database_url"])
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5})
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
        context.configure(connection=connection, transaction_per_migration=False)
        context.run_migrations()
    engine.dispose()


run_migrations()

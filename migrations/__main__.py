"""`python -m migrations [upgrade|downgrade] [revision]`, on the database at DATABASE_URL.

It signs in with MIGRATION_DATABASE_URL where that is set. An upgrade also creates the application's
role, checks that the embedding model fits the vectors that are stored, and indexes all words again
when RECALL_LANGUAGES has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import click
from alembic.util import CommandError as AlembicError

from migrations import downgrade, upgrade
from migrations.roles import grant_application, list_powers
from shared.db import Database
from shared.derivations.embedding import check_stored_model
from shared.embeddings import check_model
from shared.maintenance.commands import CommandError, plain_errors
from shared.settings import Settings, SettingsError, current_settings
from shared.store.search import languages
from shared.store.upkeep import server_log


@click.command()
@click.argument("direction", type=click.Choice(["upgrade", "downgrade"]), default="upgrade")
@click.argument("revision", default="head")
def main(direction: str, revision: str) -> None:
    settings = current_settings()
    if not settings.database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    try:
        with plain_errors():
            if direction == "downgrade":
                downgrade(settings.effective_migration_url, revision)
            else:
                migrate_and_configure(settings, revision)
    except AlembicError as exc:  # such as an unknown revision
        raise CommandError(str(exc)) from exc


def migrate_and_configure(settings: Settings, revision: str) -> None:
    check_model(settings)
    upgrade(settings.effective_migration_url, revision)
    grant_application(settings.effective_migration_url, settings.database_url)
    database = Database(settings.effective_migration_url, pool_size=1)
    check_stored_model(database, settings)
    read_languages(database, settings.recall_languages)
    warn_of_log(database)
    warn_of_powers(settings.database_url)


def warn_of_log(database: Database) -> None:
    """Warn of settings of Postgres that let users' texts into its log."""
    with database.transaction() as connection:
        revealing = server_log.list_revealing(connection)
    if revealing:
        click.echo(
            f"Postgres may write what people say to its log ({', '.join(revealing)}): "
            "see docs/operations.md, Logs."
        )


def warn_of_powers(database_url: str) -> None:
    if powers := list_powers(database_url):
        click.echo(
            f"The role of DATABASE_URL may more than it needs ({', '.join(powers)}): "
            "see docs/operations.md, Roles."
        )


def read_languages(database: Database, wanted: Sequence[str]) -> None:
    """Raises `SettingsError` for a language that Postgres does not know."""
    with database.transaction() as connection:
        unknown = languages.list_unknown(connection, wanted)
        if unknown:
            raise SettingsError(f"RECALL_LANGUAGES: Postgres does not know {', '.join(unknown)}.")
        if languages.set_languages(connection, wanted):
            click.echo(f"All words are now read as {', '.join(wanted)}.")


if __name__ == "__main__":
    main()

"""`python -m migrations [upgrade|downgrade] [revision]`, on the database at DATABASE_URL.

`upgrade before` leaves out what must wait until the version before has stopped; `upgrade` does all.

It signs in with MIGRATION_DATABASE_URL where that is set. An upgrade also creates the application's
role, checks that the embedding model fits the vectors that are stored, and indexes all words again
when RECALL_LANGUAGES has changed.
"""

from __future__ import annotations

from contextlib import closing

import click
import psycopg2

from migrations import downgrade, upgrade
from migrations.checks import check_stored_model, read_languages, warn_of_log
from migrations.roles import grant_application, list_powers
from shared.embeddings import check_model
from shared.maintenance.commands import plain_errors
from shared.settings import Settings, current_settings

WHOLE = ("head", "before")  # other revisions lack tables that the checks read


@click.command()
@click.argument("direction", type=click.Choice(["upgrade", "downgrade"]), default="upgrade")
@click.argument("revision", default="head")
def main(direction: str, revision: str) -> None:
    settings = current_settings()
    if not settings.database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    with plain_errors():
        if direction == "downgrade":
            downgrade(settings.effective_migration_url, revision)
        else:
            migrate_and_configure(settings, revision)


def migrate_and_configure(settings: Settings, revision: str) -> None:
    check_model(settings)
    upgrade(settings.effective_migration_url, revision)
    grant_application(settings.effective_migration_url, settings.database_url)
    with closing(psycopg2.connect(settings.effective_migration_url, connect_timeout=5)) as owner:
        if revision in WHOLE:
            with owner:
                check_stored_model(owner, settings)
            with owner:
                read_languages(owner, settings.recall_languages)
        with owner:
            warn_of_log(owner)
    warn_of_powers(settings.database_url)


def warn_of_powers(database_url: str) -> None:
    if powers := list_powers(database_url):
        click.echo(
            f"The role of DATABASE_URL may more than it needs ({', '.join(powers)}): "
            "see docs/operations.md, Roles."
        )


if __name__ == "__main__":
    main()

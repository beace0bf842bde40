"""`python -m migrations [upgrade|downgrade] [revision]`, on the database at DATABASE_URL.

An upgrade also checks, before anything starts, that the embedding model fits what is stored.
"""

from __future__ import annotations

import click

from migrations import downgrade, upgrade
from shared.db import Database
from shared.derivations.embedding import check_stored_model
from shared.embeddings import check_model
from shared.settings import current_settings


@click.command()
@click.argument("direction", type=click.Choice(["upgrade", "downgrade"]), default="upgrade")
@click.argument("revision", default="head")
def main(direction: str, revision: str) -> None:
    settings = current_settings()
    if not settings.database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    if direction == "downgrade":
        downgrade(settings.database_url, revision)
        return
    check_model(settings)
    upgrade(settings.database_url, revision)
    check_stored_model(Database(settings.database_url, pool_size=1), settings)


if __name__ == "__main__":
    main()

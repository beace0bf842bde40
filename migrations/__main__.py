"""`python -m migrations [upgrade|downgrade] [revision]`, on the database at DATABASE_URL."""

from __future__ import annotations

import click

from migrations import downgrade, upgrade
from shared.settings import current_settings


@click.command()
@click.argument("direction", type=click.Choice(["upgrade", "downgrade"]), default="upgrade")
@click.argument("revision", default="head")
def main(direction: str, revision: str) -> None:
    database_url = current_settings().database_url
    if not database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    (upgrade if direction == "upgrade" else downgrade)(database_url, revision)


if __name__ == "__main__":
    main()

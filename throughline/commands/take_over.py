"""`throughline take-over`: let this site have the Redis of a site whose place it takes."""

from __future__ import annotations

from pathlib import Path

import click

from shared.maintenance.commands import CommandError, plain_errors
from shared.maintenance.site_check import release_redis
from shared.settings import load_env_file, read_settings

NOT_ITS = "No Redis of this site's settings is marked for the site {site_id}."


@click.command("take-over")
@click.argument("site_id")
def take_over(site_id: str) -> None:
    """Let the next start have the Redis that was the one of SITE_ID, a site that runs no more."""
    with plain_errors():
        load_env_file(Path(".env"))
        settings = read_settings()
        if not settings.redis_url:
            raise CommandError("REDIS_URL is not set: this site's own Redis is no other's.")
        if not release_redis(settings, site_id):
            raise CommandError(NOT_ITS.format(site_id=site_id))
    click.echo("The next site that starts with this Redis has it.")

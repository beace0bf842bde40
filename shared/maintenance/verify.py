"""`python -m shared.maintenance.verify [--quiet]`: check the invariants of a live database.

It only reads, in one snapshot. Exit code 1: an invariant is broken; 2: the check failed.
"""

from __future__ import annotations

import sys

import click

from shared.db import Database, execute
from shared.derivations.claims import episode_rule
from shared.maintenance.commands import plain_errors
from shared.policy.episodes import pending_to_be_due
from shared.settings import Settings, current_settings
from shared.store.upkeep.invariants import ALWAYS, WHEN_QUIET, Breach, list_breaches
from shared.store.upkeep.row_security import is_bound

NOT_BOUND = (
    "Row-level security keeps no users apart: the role of DATABASE_URL sees all rows. "
    "See docs/operations.md, Roles."
)


def find_breaches(database: Database, settings: Settings, *, quiet: bool) -> list[Breach]:
    """`quiet`: also check the invariants that hold if no round is open and all jobs are done."""
    with database.upkeep() as connection:
        execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return list_breaches(
            connection,
            ALWAYS | WHEN_QUIET if quiet else ALWAYS,
            stuck_after_s=settings.stuck_after_s,
            summarize_after=settings.memory_summarize_after_seq,
            pending=pending_to_be_due(episode_rule(settings)),
        )


def warn_unless_bound(database: Database) -> None:
    """Say so where the application sees everybody's rows. A site with one role may want it so."""
    with database.transaction() as connection:
        if not is_bound(connection):
            click.echo(NOT_BOUND)


@click.command()
@click.option("--quiet", is_flag=True, help="Nobody is talking: jobs must have caught up, too.")
def main(quiet: bool) -> None:
    settings = current_settings()
    if not settings.database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    with plain_errors():
        database = Database(settings.database_url, pool_size=1)
        breaches = find_breaches(database, settings, quiet=quiet)
        warn_unless_bound(database)
    for breach in breaches:
        click.echo(f"broken: {breach.invariant}: {breach.where}")
    checked = len(ALWAYS) + (len(WHEN_QUIET) if quiet else 0)
    click.echo(f"{checked} invariants checked, {len(breaches)} breaches")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()

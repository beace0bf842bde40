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
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_delay,
    wait_fixed,
)

from migrations import downgrade, upgrade
from migrations.checks import check_stored_model, read_languages, warn_of_log
from migrations.roles import grant_application, list_powers
from shared.db import PgConnection, name_fault
from shared.embeddings.model_properties import check_model
from shared.maintenance.commands import plain_errors
from shared.settings import Settings, current_settings

WAIT_S = 60.0  # for a database that is not there yet: one that has crashed recovers first
RETRY_S = 1
SHUT_DOWN = ("57P01", "57P02", "57P03")
WHOLE = ("head", "before")  # other revisions lack tables that the checks read


@click.command()
@click.argument("direction", type=click.Choice(["upgrade", "downgrade"]), default="upgrade")
@click.argument("revision", default="head")
@click.option(
    "--wait", "wait_s", default=WAIT_S, help="Seconds for a database that is not there yet."
)
def main(direction: str, revision: str, wait_s: float) -> None:
    settings = current_settings()
    if not settings.database_url:
        raise click.UsageError("DATABASE_URL is not set.")
    with plain_errors():
        if direction == "downgrade":
            downgrade(settings.effective_migration_url, revision)
        else:
            _migrate_patiently(settings, revision, wait_s)


def _migrate_patiently(settings: Settings, revision: str, wait_s: float) -> None:
    """Wait for a database that is not there yet, or goes away meanwhile."""
    for attempt in Retrying(
        retry=retry_if_exception(_may_come),
        stop=stop_after_delay(wait_s),
        wait=wait_fixed(RETRY_S),
        before_sleep=lambda state: _tell(state, wait_s),
        reraise=True,
    ):
        with attempt:
            migrate_and_configure(settings, revision)


def _may_come(error: BaseException) -> bool:
    """Whether it is the connection that fails, and not the password or a statement."""
    cause = getattr(error, "orig", error)
    is_lost = isinstance(cause, psycopg2.OperationalError) and (
        cause.pgcode is None or cause.pgcode in SHUT_DOWN
    )
    return is_lost and name_fault(cause) != "password_refused"


def _tell(state: RetryCallState, wait_s: float) -> None:
    if state.attempt_number == 1 and state.outcome is not None:
        fault = name_fault(state.outcome.exception())
        click.echo(f"The database is not there yet ({fault}): trying for {wait_s:g} s.")


def migrate_and_configure(settings: Settings, revision: str) -> None:
    check_model(settings)
    upgrade(settings.effective_migration_url, revision)
    grant_application(settings.effective_migration_url, settings.database_url)
    with closing(psycopg2.connect(settings.effective_migration_url, connect_timeout=5)) as owner:
        if revision in WHOLE:
            with owner:
                configure(owner, settings)
        with owner:
            warn_of_log(owner)
    warn_of_powers(settings.database_url)
    if settings.redis_url and revision in WHOLE:
        from shared.maintenance.site_check import check_site  # not where Redis is out of reach

        check_site(settings)


def configure(owner: PgConnection, settings: Settings) -> None:
    """Check what is stored against the settings, and have words read in their languages."""
    check_stored_model(owner, settings)
    read_languages(owner, settings.recall_languages)


def warn_of_powers(database_url: str) -> None:
    if powers := list_powers(database_url):
        click.echo(
            f"The role of DATABASE_URL may more than it needs ({', '.join(powers)}): "
            "see docs/operations.md, Roles."
        )


if __name__ == "__main__":
    main()

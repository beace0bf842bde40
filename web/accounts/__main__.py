"""`python -m web.accounts`: makes links from the shell, for whoever cannot sign in any more."""

from __future__ import annotations

import click

from shared.maintenance.commands import plain_errors
from shared.services import Services, current_services
from shared.store.accounts import people, second_factor
from web.accounts.links import make_reset, make_setup_link
from web.accounts.names import compared


@click.group(help="Make one-time links, with DATABASE_URL and REDIS_URL of the running site.")
def main() -> None: ...


@main.command("setup-link", help="With it, the first account is made.")
def setup_link() -> None:
    with plain_errors():
        address = make_setup_link(_services())
    click.echo(address or "There is an account already. Make a reset link for its name.")


@main.command("reset-link", help="With it, the password of NAME is set once.")
@click.argument("name")
@click.option("--operator", is_flag=True, help="Also make the account an operator, and enable it.")
@click.option("--no-second-factor", is_flag=True, help="Also turn off its second factor.")
def reset_link(name: str, *, operator: bool, no_second_factor: bool) -> None:
    services = _services()
    with plain_errors(), services.database.transaction() as connection:
        account = people.find_named(connection, compared(name))
        if account is None:
            raise click.UsageError("No account has that name.")
        if operator:
            people.set_operator(connection, account.account_id, is_operator=True)
            people.set_disabled(connection, account.account_id, is_disabled=False)
        if no_second_factor:
            second_factor.turn_off(connection, account.account_id)
    with plain_errors():
        click.echo(make_reset(services, account.account_id))


def _services() -> Services:
    with plain_errors():
        return current_services()


if __name__ == "__main__":
    main()

"""The site that a command works on: its settings and services."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.errors import NotFoundError
from shared.maintenance.commands import plain_errors
from shared.models import UserId
from shared.services import Services
from shared.settings import Settings, SettingsError, load_env_file, read_settings
from shared.store import users
from shared.store.accounts import people
from web.accounts.names import compared

NOT_RUNNING = "No site runs here: start it with `make run`, or set DATABASE_URL and REDIS_URL."


def find_settings() -> Settings:
    """Find the site that the environment and .env name, else the one that runs in this folder.

    Raises `SettingsError` where there is none.
    """
    load_env_file(Path(".env"))
    settings = read_settings()
    if settings.database_url and settings.redis_url:
        return settings
    try:
        from supervisor.running_site import find_urls
    except ModuleNotFoundError:  # in the image, which has no embedded services
        raise SettingsError("DATABASE_URL and REDIS_URL are not set.") from None
    urls = find_urls(settings)
    if not urls:
        raise SettingsError(NOT_RUNNING)
    os.environ.update(urls)  # for the modules that read the settings by themselves
    return read_settings()


@contextmanager
def open_services() -> Iterator[Services]:
    """The services of the site. Faults end the command with a sentence."""
    with plain_errors():
        services = Services(find_settings())
        try:
            yield services
        finally:
            services.close()


def find_user(services: Services, user: str, *, is_known: bool = True) -> UserId:
    """The user of that id, or of that account's name.

    `is_known`: somebody who has said nothing yet is an error, as a misspelt id would be.
    """
    if services.settings.has_accounts:
        with services.database.transaction() as connection:
            account = people.find_named(connection, compared(user))
        if account is not None:
            return UserId(account.account_id)
    user_id = UserId(user)
    with services.database.transaction(user=user_id) as connection:
        if is_known and not users.is_there(connection, user_id):
            raise NotFoundError(f"There is no user {user}, or nothing is stored about them.")
    return user_id

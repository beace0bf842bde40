"""Who operates the site."""

from __future__ import annotations

from shared.db import Database
from shared.errors import ThroughlineError
from shared.models import UserId
from shared.settings import Settings
from shared.store.accounts import people


def is_operator(database: Database, user_id: UserId, settings: Settings) -> bool:
    """Whether the user operates the site now. While the database cannot tell, nobody does."""
    if not settings.has_accounts:
        return settings.names_operator(user_id)
    try:
        with database.transaction() as connection:
            account = people.find_account(connection, user_id)
    except ThroughlineError:
        return False
    return account is not None and account.is_operator

"""What a user is called: the name of the account, or the user's id where there are no accounts."""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import UserId
from shared.settings import Settings
from shared.store.accounts import people


def find_user_name(connection: PgConnection, user_id: UserId, settings: Settings) -> str:
    account = people.find_account(connection, user_id) if settings.has_accounts else None
    return account.name if account else user_id

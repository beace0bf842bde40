"""Which attempts are counted, and under what."""

from __future__ import annotations

from flask import request

from web.accounts.context import settings
from web.process.context import web_context
from web.requests.client_address import client_network


def count_by_address() -> None:
    """Everything that a guess could be made with. Raises `TooManyAttemptsError`."""
    address = client_network(request, settings())
    limit = settings().sign_in_attempts_per_address
    web_context().attempts.count("address", address, limit)


def count_by_name(name_key: str) -> None:
    """Wherever the attempts come from. Also for names that nobody has: that would tell them."""
    web_context().attempts.count("name", name_key, settings().sign_in_attempts_per_name)


def count_by_account(account_id: str) -> None:
    """Codes and passwords asked for once more, of one account."""
    web_context().attempts.count("account", account_id, settings().sign_in_attempts_per_name)

"""Which attempts are counted, and under what."""

from __future__ import annotations

from flask import request

from web.accounts.account_context import settings
from web.process.context import web_context
from web.requests.client_address import client_network

#: Within a quarter of an hour: too few to guess a password, enough for a person who mistypes.
SIGN_IN_ATTEMPTS_PER_NAME = 10
SIGN_IN_ATTEMPTS_PER_ADDRESS = 60  # an office has one address for all its people


def count_by_address() -> None:
    """Count an attempt at anything that could be guessed. Raises `TooManyAttemptsError`."""
    address = client_network(request, settings())
    web_context().attempts.count("address", address, SIGN_IN_ATTEMPTS_PER_ADDRESS)


def count_by_name(name_key: str) -> None:
    """Count an attempt at a name, from wherever it comes. Names that nobody has count the same."""
    web_context().attempts.count("name", name_key, SIGN_IN_ATTEMPTS_PER_NAME)


def count_by_account(account_id: str) -> None:
    """Count an attempt at the codes or the password of one account."""
    web_context().attempts.count("account", account_id, SIGN_IN_ATTEMPTS_PER_NAME)

"""A search of the request's user: counted, and limited, at every door."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import g

from shared.access.quotas import count_search
from web.process.context import transaction, web_context


@contextmanager
def search_slot() -> Iterator[None]:
    """Hold a slot while the search runs, and count it.

    Raises `TooManyAtOnceError`, `BusyError` or `QuotaUsedUpError`.
    """
    context = web_context()
    with context.limits.searches.slot(g.user_id):
        with transaction() as connection:
            count_search(connection, g.user_id, context.services.settings)
        yield

"""Rows behind the application: read, and put there by hand."""

from __future__ import annotations

from typing import Any

from shared.db import fetch_row, fetch_rows
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.services import as_owner


def row(browser: Browser, sql: str, **args: object) -> Any:
    with as_owner(browser.context.services) as connection:
        return fetch_row(connection, sql, **args)


def rows(browser: Browser, sql: str, **args: object) -> Any:
    with as_owner(browser.context.services) as connection:
        return fetch_rows(connection, sql, **args)


def add_episode(browser: Browser, talk: Conversing, start: int, end: int) -> int:
    with as_owner(browser.context.services) as connection:
        row = fetch_row(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         key_concepts, status, lease_until, embedding,
                                         embedding_model)
            VALUES (%(user)s, %(id)s, %(start)s, %(end)s, 'They spoke of Lisbon.', '{Lisbon}',
                    'completed', now(), array_fill(0.1, ARRAY[384])::vector, 'm')
            RETURNING id
            """,
            user=talk.user_id,
            id=talk.conversation_id,
            start=start,
            end=end,
        )
    assert row is not None
    return int(row["id"])

"""A database with the chats in it, imported and embedded by the product."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.recall_data import Chat, Spot
from shared.db import fetch_rows
from shared.models import UserId
from shared.services import Services
from shared.settings import read_settings
from shared.user_data.imports.importer import import_file
from tests.embedding import embed_pending
from tests.services import running_services


@contextmanager
def open_services(database_url: str, redis_url: str, **overrides: object) -> Iterator[Services]:
    """On the services given, or on an embedded Postgres and Valkey that end with this process.

    `overrides` are settings.
    """
    with tempfile.TemporaryDirectory() as data:
        overrides |= {"data_dir": Path(data)}
        if database_url:
            yield from _services(database_url=database_url, redis_url=redis_url, **overrides)
            return
        with running_services() as running, running.database() as url:
            yield from _services(database_url=url, redis_url=running.valkey.url, **overrides)


def _services(**overrides: object) -> Iterator[Services]:
    settings = read_settings(**overrides)
    services = Services(settings)
    try:
        yield services
    finally:
        services.close()


def user_of(chat: Chat) -> UserId:
    return UserId(f"locomo-{chat.name}")


def fill(services: Services, chats: list[Chat]) -> int:
    """Import what is missing. Returns how many messages were embedded."""
    for chat in chats:
        file = io.BytesIO(json.dumps(list(chat.sessions)).encode())
        done = import_file(services, user_of(chat), file)
        if done.status != "done" or done.tally.failed:
            raise SystemExit(f"{chat.name} was not imported: {done}")
    return embed_pending(services)


def list_titles(services: Services, chat: Chat) -> dict[str, str]:
    """Each conversation's title by its id."""
    with services.database.transaction() as connection:
        rows = fetch_rows(
            connection,
            "SELECT conversation_id, title FROM conversations WHERE user_id = %(user_id)s",
            user_id=user_of(chat),
        )
    return {str(row["conversation_id"]): row["title"] for row in rows}


def spot_of(titles: dict[str, str], conversation_id: str, sequence: int) -> Spot:
    return titles[conversation_id], sequence

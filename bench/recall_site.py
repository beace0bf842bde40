"""A database with the chats in it, imported and embedded by the product."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.recall_chats import Chat
from shared.db import PgConnection, fetch_rows
from shared.guard import RECALL_TIMEOUT_S
from shared.models import MessageKey, Query, UserId
from shared.policy.ranking.words import weigh_words
from shared.recall.messages import MOST_COUNTED, WITH_WORDS
from shared.services import Services
from shared.settings import read_settings
from shared.store.search import candidates
from shared.user_data.imports.importer import import_file
from tests.embedding import embed_pending
from tests.services import running_services

TOKENS_OF = "gpt-4"  # cl100k, as in the papers


@contextmanager
def open_services(
    database_url: str,
    redis_url: str,
    *,
    recall_timeout_s: float = RECALL_TIMEOUT_S,
    **overrides: object,
) -> Iterator[Services]:
    """On the services given, or on an embedded Postgres and Valkey that end with this process.

    `overrides` are settings.
    """
    with tempfile.TemporaryDirectory() as data:
        overrides |= {"data_dir": Path(data)}
        if database_url:
            overrides |= {"database_url": database_url, "redis_url": redis_url}
            yield from _services(recall_timeout_s, overrides)
            return
        with running_services() as running, running.databases.copy() as url:
            overrides |= {"database_url": url, "redis_url": running.valkey.url}
            yield from _services(recall_timeout_s, overrides)


def _services(recall_timeout_s: float, overrides: dict[str, object]) -> Iterator[Services]:
    settings = read_settings(**overrides)
    services = Services(settings, recall_timeout_s=recall_timeout_s)
    try:
        yield services
    finally:
        services.close()


def user_of(chat: Chat) -> UserId:
    return UserId(f"person-{chat.name}")


def fill(services: Services, chats: Sequence[Chat]) -> int:
    """Import what is missing. Returns how many messages were embedded."""
    for chat in chats:
        import_sessions(services, user_of(chat), chat.sessions)
    return embed_pending(services)


def import_sessions(
    services: Services, user_id: UserId, sessions: Sequence[Mapping[str, Any]]
) -> None:
    """Import conversations in the import format. Those that are there already are skipped."""
    file = io.BytesIO(json.dumps(list(sessions)).encode())
    done = import_file(services, user_id, file)
    if done.status != "done" or done.tally.failed:
        raise SystemExit(f"{user_id} was not imported: {done}")


def list_titles(services: Services, user_id: UserId) -> dict[str, str]:
    """Each conversation's title by its id."""
    with services.database.transaction(user=user_id) as connection:
        rows = fetch_rows(
            connection,
            "SELECT conversation_id, title FROM conversations WHERE user_id = %(user_id)s",
            user_id=user_id,
        )
    return {str(row["conversation_id"]): row["title"] for row in rows}


def by_words(connection: PgConnection, query: Query) -> list[MessageKey]:
    """Messages by the weight of the query's words alone, best first."""
    counted = candidates.count_containing(connection, query.user_id, query.text, MOST_COUNTED)
    counts = counted.counts
    words = weigh_words(counts, counted.total)
    if not words:
        return []
    hits = candidates.list_containing(connection, query, words, read=MOST_COUNTED, limit=WITH_WORDS)
    return list(hits)

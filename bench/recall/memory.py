"""Chats as the memory of a user, imported and embedded by the product."""

from __future__ import annotations

from collections.abc import Sequence

from bench.harness.services import import_sessions
from bench.recall.chats import Chat
from shared.db import PgConnection, fetch_rows
from shared.models import MessageKey, Query, UserId
from shared.policy.ranking.words import weigh_words
from shared.recall.messages import MOST_COUNTED, WITH_WORDS
from shared.services import Services
from shared.store.search import candidates
from tests.embedding import embed_pending


def user_of(chat: Chat) -> UserId:
    return UserId(f"person-{chat.name}")


def fill(services: Services, chats: Sequence[Chat]) -> int:
    """Import what is missing. Returns how many messages were embedded."""
    for chat in chats:
        import_sessions(services, user_of(chat), chat.sessions)
    return embed_pending(services)


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
    words = weigh_words(counted.counts, counted.total)
    if not words:
        return []
    hits = candidates.list_containing(connection, query, words, read=MOST_COUNTED, limit=WITH_WORDS)
    return list(hits)

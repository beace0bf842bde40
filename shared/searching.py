"""Search in messages and episodes: what is found, with the places that match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from shared.db import PgConnection
from shared.models import Episode, UserId
from shared.policy.snippets import Pieces, cut_around, pieces_of
from shared.store import episodes, search
from shared.store.search import FoundMessage

Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Best first."""

    messages: tuple[tuple[FoundMessage, Pieces], ...]
    episodes: tuple[tuple[Episode, Pieces], ...]


def search_memory(
    connection: PgConnection, user_id: UserId, query: str, limit: int
) -> SearchResult:
    """At most `limit` of each. `query` has a character that is no space."""
    by_words = search.search_by_words(connection, user_id, query, limit)
    by_parts = _by_parts(connection, user_id, query, limit, by_words)
    found = [one.episode for one in episodes.search_by_words(connection, user_id, query, limit)]
    return SearchResult(
        messages=(
            *_marked(connection, by_words, [one.content for one in by_words], query),
            *((one, cut_around(one.content, query.split())) for one in by_parts),
        ),
        episodes=_marked(connection, found, [one.summary for one in found], query),
    )


def _by_parts(
    connection: PgConnection, user_id: UserId, query: str, limit: int, known: list[FoundMessage]
) -> list[FoundMessage]:
    """Fills up what the words have left free."""
    if len(known) >= limit:
        return []
    places = {(one.conversation_id, one.sequence_number) for one in known}
    found = search.search_by_parts(connection, user_id, query.split(), limit)
    new = [one for one in found if (one.conversation_id, one.sequence_number) not in places]
    return new[: limit - len(known)]


def _marked(
    connection: PgConnection, found: list[Found], texts: list[str], query: str
) -> tuple[tuple[Found, Pieces], ...]:
    marked = search.mark_hits(connection, texts, query) if texts else []
    return tuple(zip(found, map(pieces_of, marked), strict=True))

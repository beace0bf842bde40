"""Search in messages and episodes: what is found, with the places that match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TypeVar

from shared.db import Database, PgConnection
from shared.finding_episodes import find_episodes
from shared.models import Episode, Place, UserId
from shared.policy.ranking import rank_episodes
from shared.policy.ranking.passages import Ranked
from shared.policy.ranking.question import Question
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.snippets import HIT_BEGINS, Pieces, cut_around, parts_of, pieces_of
from shared.recollecting import Encode, recollect
from shared.spelling import Knows, read_corrected
from shared.store import search
from shared.store.search import FoundMessage

Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Best first. `corrected` are the words that nothing says, and what is shown instead."""

    corrected: Mapping[str, str]
    messages: tuple[tuple[FoundMessage, Pieces], ...]
    episodes: tuple[tuple[Episode, Pieces], ...]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`query` has a character that is no space; `encode` may give None: then words alone.
    What `knows` a word tells that it is no typing error.

    With `as_of` only what had been said by then is found.
    """

    user_id: UserId
    query: str
    today: date
    encode: Encode
    knows: Knows
    embedding_model: str
    as_of: datetime | None = None


def search_memory(database: Database, asked: Asked, limit: int) -> SearchResult:
    """At most `limit` of each: what holds all the words, then parts of them, then what recall
    would give to a question; and the episodes of all that recall would give, or by their words."""
    question, asked, meant = _read(database, asked)
    relevant = _list_relevant(database, asked, question) if question else []
    user_id, query = asked.user_id, asked.query
    with database.transaction() as connection:
        by_words = search.search_by_words(connection, user_id, query, limit, asked.as_of)
        by_parts = _by_parts(connection, asked, limit, by_words)
        recalled = _recalled(connection, user_id, relevant, limit, [*by_words, *by_parts])
        found = _find_episodes(connection, asked, relevant, limit)
        return SearchResult(
            corrected=meant,
            messages=(
                *_marked(connection, by_words, [one.content for one in by_words], query),
                *((one, cut_around(one.content, query.split())) for one in by_parts),
                *_marked(connection, recalled, [one.content for one in recalled], query),
            ),
            episodes=_marked(connection, found, [one.summary for one in found], query),
        )


def _read(database: Database, asked: Asked) -> tuple[Question | None, Asked, Mapping[str, str]]:
    """The question, what is asked without its typing errors, and what these were.

    No question: the query says exactly what it wants.
    """
    if any(word.startswith(("-", '"')) for word in asked.query.split()):
        return None, asked, {}
    with database.transaction() as connection:
        read = read_corrected(
            connection,
            asked.user_id,
            asked.query,
            asked.today,
            asked.knows,
            is_search=True,
            as_of=asked.as_of,
        )
    return read.question, replace(asked, query=read.text), read.meant


def _list_relevant(database: Database, asked: Asked, question: Question) -> list[Ranked]:
    """The same as for a prompt."""
    encoded = asked.encode(question.for_meaning)
    with database.transaction() as connection:
        found = recollect(
            connection,
            asked.user_id,
            question,
            encoded,
            asked.embedding_model,
            is_said=False,
            as_of=asked.as_of,
        )
    return choose_relevant(found.ranked, found.words)


def _find_episodes(
    connection: PgConnection, asked: Asked, relevant: Sequence[Ranked], limit: int
) -> list[Episode]:
    """Not by meaning: something is always the nearest, and a page need not be full."""
    found = find_episodes(
        connection,
        asked.user_id,
        asked.query,
        relevant=relevant[:limit],
        encoded=None,
        embedding_model=asked.embedding_model,
        limit=limit,
        as_of=asked.as_of,
    )
    return rank_episodes(found, limit)


def _recalled(
    connection: PgConnection,
    user_id: UserId,
    relevant: Sequence[Ranked],
    limit: int,
    known: list[FoundMessage],
) -> list[FoundMessage]:
    if len(known) >= limit:
        return []
    places = {(one.conversation_id, one.sequence_number) for one in known}
    passages = (one.passage for one in relevant)
    new = [
        Place(conversation_id=one.conversation_id, sequence_number=one.sequence_number)
        for one in passages
        if (one.conversation_id, one.sequence_number) not in places
    ]
    return search.list_found(connection, user_id, new[: limit - len(known)])


def _by_parts(
    connection: PgConnection, asked: Asked, limit: int, known: list[FoundMessage]
) -> list[FoundMessage]:
    """Fills up what the words have left free."""
    if len(known) >= limit:
        return []
    places = {(one.conversation_id, one.sequence_number) for one in known}
    parts = asked.query.split()
    found = search.search_by_parts(connection, asked.user_id, parts, limit, asked.as_of)
    new = [one for one in found if (one.conversation_id, one.sequence_number) not in places]
    return new[: limit - len(known)]


def _marked(
    connection: PgConnection, found: list[Found], texts: list[str], query: str
) -> tuple[tuple[Found, Pieces], ...]:
    marked = search.mark_hits(connection, texts, query) if texts else []
    pieces = [
        pieces_of(one) if HIT_BEGINS in one else cut_around(text, parts_of(query))
        for one, text in zip(marked, texts, strict=True)
    ]
    return tuple(zip(found, pieces, strict=True))

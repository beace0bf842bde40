"""The search page: messages and episodes that match, each with its hits marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from shared.db import Database, PgConnection
from shared.errors import DatabaseTimeoutError
from shared.models import Episode, MessageKey, Query, UserId
from shared.policy.ranking import rank_episodes
from shared.policy.ranking.passages import Ranked, key_of
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.snippets import HIT_BEGINS, Pieces, cut_around, parts_of, pieces_of
from shared.recall.encoder import ENCODE_TIMEOUT_S, Encoder
from shared.recall.episodes import search_episodes
from shared.recall.messages import search_messages
from shared.recall.query import Reading, read_query
from shared.recall.spelling import correct_spelling
from shared.store.search import hits
from shared.store.search.hits import FoundMessage
from shared.timing import Deadline

P = ParamSpec("P")
T = TypeVar("T")

SEARCH_SHARE = 0.8  # of the time; the rest is for reading the found texts and marking hits


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Messages and episodes, best first."""

    #: The misspelt words, each with its correction.
    corrected: Mapping[str, str]
    messages: tuple[tuple[FoundMessage, Pieces], ...]
    episodes: tuple[tuple[Episode, Pieces], ...]
    #: A step ran out of time, so there may be more results.
    incomplete: bool


def search_memory(
    database: Database, encoder: Encoder, query: Query, limit: int, timeout_s: float
) -> SearchResult:
    """At most `limit` messages and episodes for a query that is more than white space.

    Messages come in this order: with all the words, with parts of the words, relevant for a prompt.
    Episodes contain relevant messages or any of the words. The costliest search comes last, so
    that a search that runs out of time still has the other results.
    """
    deadline = Deadline(timeout_s)
    steps = TimedSteps(database, query.user_id, deadline.sooner(SEARCH_SHARE * timeout_s))
    reading = None if _is_exact(query) else steps.run(_read, query, encoder)
    query = reading.query if reading else query
    by_words = steps.run(hits.search_by_words, query, limit) or []
    relevant = _list_relevant(steps, encoder, reading) if reading else []
    episodes = steps.run(_list_episodes, query, relevant, limit) or []
    by_parts = steps.run(_list_by_parts, query, by_words, limit) or []
    showing = TimedSteps(database, query.user_id, deadline)
    others = showing.run(_list_others, query, relevant, [*by_words, *by_parts], limit) or []
    is_read = reading is None or reading.is_complete
    return SearchResult(
        corrected=reading.corrections if reading else {},
        messages=(
            *_mark(showing, by_words, [one.content for one in by_words], query.text),
            *((one, cut_around(one.content, query.text.split())) for one in by_parts),
            *_mark(showing, others, [one.content for one in others], query.text),
        ),
        episodes=_mark(showing, episodes, [one.summary for one in episodes], query.text),
        incomplete=not (is_read and steps.all_done and showing.all_done),
    )


class TimedSteps:
    """Runs steps before a deadline, each in a transaction. A step that is too slow is left out."""

    def __init__(self, database: Database, user_id: UserId, deadline: Deadline) -> None:
        self._database = database
        self._user_id = user_id
        self._deadline = deadline
        self.all_done = True

    def run(
        self, step: Callable[Concatenate[PgConnection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """None: the step ran out of time."""
        try:
            with self._database.transaction(self._deadline, user=self._user_id) as connection:
                return step(connection, *args, **kwargs)
        except DatabaseTimeoutError:
            self.all_done = False
            return None


def _is_exact(query: Query) -> bool:
    """Whether the query has operators (quotes or a minus sign), and so is no question."""
    return any(word.startswith(("-", '"')) for word in query.text.split())


def _read(connection: PgConnection, query: Query, encoder: Encoder) -> Reading:
    reading = read_query(connection, query)
    return correct_spelling(connection, reading, encoder.knows, is_thorough=True)


def _list_relevant(steps: TimedSteps, encoder: Encoder, reading: Reading) -> list[Ranked]:
    """The messages that are relevant for a prompt."""
    encoded = encoder.encode(reading.question.for_meaning, ENCODE_TIMEOUT_S)
    found = steps.run(search_messages, reading.with_vectors(encoded))
    return choose_relevant(found.ranked, found.criteria) if found else []


def _list_episodes(
    connection: PgConnection, query: Query, relevant: Sequence[Ranked], limit: int
) -> list[Episode]:
    """Not by meaning, so `query` has no vectors: there is always a nearest episode."""
    return rank_episodes(search_episodes(connection, query, relevant[:limit], limit), limit)


def _list_by_parts(
    connection: PgConnection, query: Query, known: Sequence[FoundMessage], limit: int
) -> list[FoundMessage]:
    """More messages, with parts of the words, until there are `limit` with the `known` ones."""
    if len(known) >= limit:
        return []
    keys = _keys_of(known)
    found = hits.search_by_parts(connection, query, query.text.split(), limit)
    new = [one for one in found if (one.conversation_id, one.sequence_number) not in keys]
    return new[: limit - len(known)]


def _list_others(
    connection: PgConnection,
    query: Query,
    relevant: Sequence[Ranked],
    known: Sequence[FoundMessage],
    limit: int,
) -> list[FoundMessage]:
    """The best relevant messages, until there are `limit` with the `known` ones."""
    if len(known) >= limit:
        return []
    keys = _keys_of(known)
    new = [key for key in (key_of(one.passage) for one in relevant) if key not in keys]
    return hits.list_found(connection, query.user_id, new[: limit - len(known)])


def _keys_of(found: Sequence[FoundMessage]) -> set[MessageKey]:
    return {MessageKey(one.conversation_id, one.sequence_number) for one in found}


def _mark(
    steps: TimedSteps, found: Sequence[T], texts: Sequence[str], query: str
) -> tuple[tuple[T, Pieces], ...]:
    """Each item with its text in pieces. Texts that Postgres did not mark are marked by letters."""
    marks = steps.run(hits.mark_hits, texts, query) if texts else []
    pieces = [
        pieces_of(marked) if HIT_BEGINS in marked else cut_around(text, parts_of(query))
        for marked, text in zip(marks or [""] * len(texts), texts, strict=True)
    ]
    return tuple(zip(found, pieces, strict=True))

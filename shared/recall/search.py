"""The search page: messages, episodes and files that match, each with its hits marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Concatenate, ParamSpec, TypeVar

from shared.db import Database, PgConnection
from shared.errors import DatabaseTimeoutError
from shared.models import Episode, Fact, MessageKey, Query, SearchFilter
from shared.models.attachments import FilePassage
from shared.policy.ranking import rank_episodes
from shared.policy.ranking.passages import Ranked, key_of
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.snippets import HIT_BEGINS, Pieces, cut_around, parts_of, pieces_of
from shared.recall.encoder import ENCODE_TIMEOUT_S, Encoder
from shared.recall.episodes import read_episodes, search_episodes
from shared.recall.messages import FoundMessages, search_messages
from shared.recall.places import list_places, placed
from shared.recall.query import Reading, read_query
from shared.recall.spelling import correct_spelling
from shared.store import conversation_lists
from shared.store.conversation_lists import ListedConversation
from shared.store.facts import versions as fact_versions
from shared.store.search import file_passages, hits
from shared.store.search.hits import FoundMessage
from shared.timing import Deadline

P = ParamSpec("P")
T = TypeVar("T")

SEARCH_SHARE = 0.8  # of the time; the rest is for reading the found texts and marking hits


@dataclass(frozen=True, kw_only=True)
class FoundFiles:
    """Passages, at most one of each file, best first."""

    exact: tuple[tuple[FilePassage, Pieces], ...] = ()
    related: tuple[tuple[FilePassage, Pieces], ...] = ()


#: For one search. What it finds later is left out, and the answer says so: a person waits.
SEARCH_TIMEOUT_S = 3.0


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What was found, each list best first."""

    #: The misspelt words, each with its correction.
    corrected: Mapping[str, str]
    #: Messages that contain every word of the query, or every part of it as it is written.
    exact: tuple[tuple[FoundMessage, Pieces], ...]
    #: Messages that are only about the same thing.
    related: tuple[tuple[FoundMessage, Pieces], ...]
    episodes: tuple[tuple[Episode, Pieces], ...]
    files: FoundFiles
    conversations: tuple[ListedConversation, ...]
    facts: tuple[Fact, ...]
    #: A step ran out of time, so there may be more results.
    incomplete: bool

    @property
    def messages(self) -> tuple[tuple[FoundMessage, Pieces], ...]:
        return (*self.exact, *self.related)


@dataclass(frozen=True, kw_only=True)
class Search:
    """What is searched for, where, and how many of each kind are wanted at most."""

    query: Query
    only: SearchFilter
    limit: int


def search_memory(
    database: Database, encoder: Encoder, search: Search, timeout_s: float = SEARCH_TIMEOUT_S
) -> SearchResult:
    """Search for a query that is more than white space.

    Titles and facts contain every part of the query. Episodes contain relevant messages or any of
    the words. The costliest search comes last, so that a search that runs out of time still has the
    other results.
    """
    deadline = Deadline(timeout_s)
    query = search.query
    steps = TimedSteps(database, query, deadline.sooner(SEARCH_SHARE * timeout_s))
    reading = None if _is_exact(query) else steps.run(_read, query, encoder)
    search = replace(search, query=reading.query if reading else query)
    titles, known = steps.run(_list_named, search) or ([], [])
    by_words = steps.run(hits.search_by_words, search.query, search.only, search.limit) or []
    messages = _search(steps, encoder, reading) if reading else None
    chosen = choose_relevant(messages.ranked, messages.criteria) if messages else []
    relevant = messages.only_messages(chosen) if messages else []
    episodes = steps.run(_list_episodes, search, relevant) or []
    by_parts = steps.run(_list_by_parts, search, by_words) or []
    files = steps.run(_list_files, search) or []
    showing = TimedSteps(database, query, deadline)
    others = showing.run(_list_others, search, relevant, [*by_words, *by_parts]) or []
    other_files = _other_files(search, messages.only_files(chosen) if messages else [], files)
    shown: list[FoundMessage | FilePassage] = [*by_words, *by_parts, *others, *files, *other_files]
    places = (showing.run(list_places, shown, search.only) or {}) if shown else {}
    by_words, by_parts, others = (placed(hits, places) for hits in (by_words, by_parts, others))
    files, other_files = placed(files, places), placed(other_files, places)
    is_read = reading is None or reading.is_complete
    text = search.query.text
    return SearchResult(
        corrected=reading.corrections if reading else {},
        exact=(
            *_mark(showing, by_words, [hit.content for hit in by_words], text),
            *((hit, cut_around(hit.content, text.split())) for hit in by_parts),
        ),
        related=_mark(showing, others, [hit.content for hit in others], text),
        episodes=_mark(showing, episodes, [hit.summary for hit in episodes], text),
        files=FoundFiles(
            exact=_mark(showing, files, [hit.text for hit in files], text),
            related=_mark(showing, other_files, [hit.text for hit in other_files], text),
        ),
        conversations=tuple(titles),
        facts=tuple(known),
        incomplete=not (is_read and steps.all_done and showing.all_done),
    )


class TimedSteps:
    """Runs steps before a deadline, each in a transaction. A step that is too slow is left out."""

    def __init__(self, database: Database, query: Query, deadline: Deadline) -> None:
        """Each step sees what is in the memory of `query`."""
        self._database = database
        self._query = query
        self._deadline = deadline
        self.all_done = True

    def run(
        self, step: Callable[Concatenate[PgConnection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """None: the step ran out of time."""
        try:
            with self._database.transaction(
                self._deadline, user=self._query.user_id, memory=self._query.memory
            ) as connection:
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


def _search(steps: TimedSteps, encoder: Encoder, reading: Reading) -> FoundMessages | None:
    """Search messages like a prompt does."""
    encoded = encoder.encode(reading.question.for_meaning, ENCODE_TIMEOUT_S)
    return steps.run(search_messages, reading.with_vectors(encoded))


def _list_named(
    connection: PgConnection, search: Search
) -> tuple[list[ListedConversation], list[Fact]]:
    """Conversations by their titles, and facts. A filter for messages leaves them out."""
    query, only, limit = search.query, search.only, search.limit
    if only.is_of_messages:
        return [], []
    return (
        conversation_lists.search_titles(connection, query, only, limit),
        fact_versions.search_facts(connection, query, only, limit),
    )


def _list_episodes(
    connection: PgConnection, search: Search, relevant: Sequence[Ranked]
) -> list[Episode]:
    """Search by words alone: by meaning there is always a nearest episode."""
    only, limit = search.only, search.limit
    if only.role is not None:
        return []
    candidates = search_episodes(connection, search.query, relevant[:limit], limit)
    best = rank_episodes(candidates, limit)
    return [
        episode
        for episode in read_episodes(connection, search.query.user_id, best)
        if only.contains(episode.conversation_id)
        and (only.since is None or episode.ended_at >= only.since)
    ]


def _list_by_parts(
    connection: PgConnection, search: Search, known: Sequence[FoundMessage]
) -> list[FoundMessage]:
    """More messages, with parts of the words, until there are enough with the `known` ones."""
    if len(known) >= search.limit:
        return []
    keys = _keys_of(known)
    messages = hits.search_by_parts(connection, search.query, search.only, search.limit)
    new = [
        message
        for message in messages
        if (message.conversation_id, message.sequence_number) not in keys
    ]
    return new[: search.limit - len(known)]


def _list_files(connection: PgConnection, search: Search) -> list[FilePassage]:
    """Passages with every word, then those with parts of the words, or files with such a name."""
    query, only, limit = search.query, search.only, search.limit
    if only.role is not None:
        return []
    passages = file_passages.search_by_words(connection, query, only, limit)
    if len(passages) < limit:
        passages += file_passages.search_by_parts(connection, query, only, limit)
    return _first_of_each(passages)[:limit]


def _other_files(
    search: Search, relevant: Sequence[FilePassage], known: Sequence[FilePassage]
) -> list[FilePassage]:
    """The best relevant passages of other files than the `known` ones."""
    only, ids = search.only, {passage.attachment_id for passage in known}
    fitting = [
        passage
        for passage in relevant
        if only.role is None
        and passage.attachment_id not in ids
        and only.contains(passage.conversation_id)
        and (only.since is None or passage.sent_at >= only.since)
    ]
    return _first_of_each(fitting)[: search.limit - len(known)]


def _first_of_each(passages: Sequence[FilePassage]) -> list[FilePassage]:
    by_file: dict[str, FilePassage] = {}
    for passage in passages:
        by_file.setdefault(passage.attachment_id, passage)
    return list(by_file.values())


def _list_others(
    connection: PgConnection,
    search: Search,
    relevant: Sequence[Ranked],
    known: Sequence[FoundMessage],
) -> list[FoundMessage]:
    """The best relevant messages, until there are enough with the `known` ones."""
    room = search.limit - len(known)
    if room <= 0:
        return []
    keys = _keys_of(known)
    new = [key for key in (key_of(hit.passage) for hit in relevant) if key not in keys]
    return hits.list_found(connection, search.query.user_id, new, search.only, room)


def _keys_of(messages: Sequence[FoundMessage]) -> set[MessageKey]:
    return {MessageKey(message.conversation_id, message.sequence_number) for message in messages}


def _mark(
    steps: TimedSteps, items: Sequence[T], texts: Sequence[str], query: str
) -> tuple[tuple[T, Pieces], ...]:
    """Each item with its text in pieces. Texts that Postgres did not mark are marked by letters."""
    marks = steps.run(hits.mark_hits, texts, query) if texts else []
    pieces = [
        pieces_of(marked) if HIT_BEGINS in marked else cut_around(text, parts_of(query))
        for marked, text in zip(marks or [""] * len(texts), texts, strict=True)
    ]
    return tuple(zip(items, pieces, strict=True))

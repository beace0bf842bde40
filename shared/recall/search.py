"""Search in messages and episodes: what is found, with the places that match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from shared.db import Database, PgConnection
from shared.deadline import Deadline
from shared.models import Episode, Place, UserId
from shared.policy.ranking import rank_episodes
from shared.policy.ranking.passages import Ranked
from shared.policy.ranking.question import Question
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.snippets import HIT_BEGINS, Pieces, cut_around, parts_of, pieces_of
from shared.recall.episodes import find_episodes
from shared.recall.messages import Encode, recollect
from shared.recall.spelling import Corrected, Knows, read_corrected
from shared.recall.timed_steps import TimedSteps
from shared.store.search import hits
from shared.store.search.hits import FoundMessage

Found = TypeVar("Found")

FINDING = 0.8  # of the time; what is left is for showing what was found


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Best first. `corrected` are the words that nothing says, and what is shown instead.

    `incomplete`: something was not looked up, or not to its end, since it took too long.
    """

    corrected: Mapping[str, str]
    messages: tuple[tuple[FoundMessage, Pieces], ...]
    episodes: tuple[tuple[Episode, Pieces], ...]
    incomplete: bool


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`query` has a character that is no space; `asked_at` is by the user's clock; `encode` may
    give None: then words alone. What `knows` a word tells that it is no typing error.

    With `as_of` only what had been said by then is found.
    """

    user_id: UserId
    query: str
    asked_at: datetime
    encode: Encode
    knows: Knows
    embedding_model: str
    as_of: datetime | None = None


def search_memory(database: Database, asked: Asked, limit: int, timeout_s: float) -> SearchResult:
    """At most `limit` of each: what holds all the words, then parts of them, then what recall
    would give to a question; and the episodes of all that recall would give, or by their words.

    What costs most comes last, so that a search that is cut off has found the rest.
    """
    deadline = Deadline(timeout_s)
    steps = TimedSteps(database, deadline.sooner(FINDING * timeout_s))
    question, asked, meant = _read(steps, asked)
    by_words = steps.try_one(lambda held: _by_words(held, asked, limit)) or []
    relevant = _list_relevant(steps, asked, question) if question else []
    found = steps.try_one(lambda held: _find_episodes(held, asked, relevant, limit)) or []
    by_parts = steps.try_one(lambda held: _by_parts(held, asked, limit, by_words)) or []
    showing = TimedSteps(database, deadline)
    known = [*by_words, *by_parts]
    recalled = showing.try_one(lambda held: _recalled(held, asked, relevant, limit, known)) or []
    return SearchResult(
        corrected=meant,
        messages=(
            *_marked(showing, by_words, [one.content for one in by_words], asked.query),
            *((one, cut_around(one.content, asked.query.split())) for one in by_parts),
            *_marked(showing, recalled, [one.content for one in recalled], asked.query),
        ),
        episodes=_marked(showing, found, [one.summary for one in found], asked.query),
        incomplete=not (steps.all_done and showing.all_done),
    )


def _read(steps: TimedSteps, asked: Asked) -> tuple[Question | None, Asked, Mapping[str, str]]:
    """The question, what is asked without its typing errors, and what these were.

    No question: the query says exactly what it wants.
    """
    if any(word.startswith(("-", '"')) for word in asked.query.split()):
        return None, asked, {}
    read = steps.try_one(lambda connection: _corrected(connection, asked))
    if read is None:
        return None, asked, {}
    steps.all_done = steps.all_done and read.in_time
    return read.question, replace(asked, query=read.text), read.meant


def _corrected(connection: PgConnection, asked: Asked) -> Corrected | None:
    return read_corrected(
        connection,
        asked.user_id,
        asked.query,
        asked.asked_at,
        asked.knows,
        is_search=True,
        as_of=asked.as_of,
    )


def _by_words(connection: PgConnection, asked: Asked, limit: int) -> list[FoundMessage]:
    return hits.search_by_words(connection, asked.user_id, asked.query, limit, asked.as_of)


def _list_relevant(steps: TimedSteps, asked: Asked, question: Question) -> list[Ranked]:
    """The same as for a prompt."""
    encoded = asked.encode(question.for_meaning)

    def look_up(connection: PgConnection) -> list[Ranked]:
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

    return steps.try_one(look_up) or []


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
    asked: Asked,
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
    return hits.list_found(connection, asked.user_id, new[: limit - len(known)])


def _by_parts(
    connection: PgConnection, asked: Asked, limit: int, known: list[FoundMessage]
) -> list[FoundMessage]:
    """Fills up what the words have left free."""
    if len(known) >= limit:
        return []
    places = {(one.conversation_id, one.sequence_number) for one in known}
    parts = asked.query.split()
    found = hits.search_by_parts(connection, asked.user_id, parts, limit, asked.as_of)
    new = [one for one in found if (one.conversation_id, one.sequence_number) not in places]
    return new[: limit - len(known)]


def _marked(
    steps: TimedSteps, found: list[Found], texts: list[str], query: str
) -> tuple[tuple[Found, Pieces], ...]:
    """Where Postgres cannot mark the words in time, what is written the same is marked."""
    marks = steps.try_one(lambda held: hits.mark_hits(held, texts, query)) if texts else []
    marked = marks or [""] * len(texts)
    pieces = [
        pieces_of(one) if HIT_BEGINS in one else cut_around(text, parts_of(query))
        for one, text in zip(marked, texts, strict=True)
    ]
    return tuple(zip(found, pieces, strict=True))

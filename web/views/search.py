"""Search in all messages, episodes and files of the user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, ClassVar, Literal

from flask import Blueprint, g
from pydantic import BeforeValidator, Field, WithJsonSchema

from shared.embeddings.model_properties import model_name
from shared.errors import InvalidRequestError
from shared.models import ConversationId, Role, SearchFilter
from shared.models import Query as Question
from shared.models.attachments import FilePassage, PlaceKind
from shared.models.memory_scope import MemoryScope, memory_of
from shared.policy.snippets import Pieces
from shared.policy.text import is_storable
from shared.recall.search import Search, search_memory
from shared.store import branches, projects
from shared.store.search.hits import FoundMessage
from web.api.answers import Answer, Instant
from web.api.operation import operation
from web.api.patterns import STORABLE
from web.fields.memories import MemoryQuery, find_memory
from web.fields.time_zone import find_zone
from web.process.context import transaction, web_context
from web.process.search_slots import search_slot
from web.requests.callers import needs
from web.requests.queries import Id, InstantArgument, Number
from web.views.conversations import ListedAnswer, listed_answer
from web.views.episodes import EpisodeAnswer, episode_fields
from web.views.facts import FactAnswer, fact_answer

blueprint = Blueprint("search", __name__, url_prefix="/search")

MAX_QUERY_CHARS = 200
MANY_MINUSES = re.compile(r"(?:-\s*){17}")  # each negates the next; Postgres allows about thirty


def _parse_text(text: object) -> str:
    try:
        return check_query(str(text), "q")
    except InvalidRequestError as exc:
        raise ValueError(exc.message.removeprefix("q: ")) from exc


class SearchQuery(MemoryQuery):
    DEFAULT: ClassVar[int] = 20
    MOST: ClassVar[int] = 50

    q: Annotated[
        str,
        BeforeValidator(_parse_text),
        WithJsonSchema({"type": "string", "pattern": STORABLE, "maxLength": MAX_QUERY_CHARS}),
    ] = Field(examples=["Lisbon"])
    limit: Number | None = Field(
        default=None, description=f"Of messages, episodes, files: {DEFAULT}, {MOST} at most."
    )
    as_of: InstantArgument | None = Field(
        default=None, description="Only what had been said by then."
    )
    since: InstantArgument | None = Field(
        default=None, description="Only what was said then or later."
    )
    role: Role | None = Field(default=None, description="Only messages of this role.")
    conversation_id: Id | None = Field(
        default=None,
        description="Only messages, episodes and files of this conversation's chat.",
    )


class FoundAnswer(Answer):
    """A message. `snippet` is a list of [text, is_hit]."""

    match: Literal["exact", "related"] = Field(
        description="`exact`: it contains all the words. `related`: it is about the same thing."
    )

    conversation_id: str
    title: str | None
    sequence_number: int
    role: Role
    created_at: Instant
    snippet: Pieces


class FoundEpisodeAnswer(EpisodeAnswer):
    sequence_number: int = Field(description="Its first message.")
    snippet: Pieces


class PlaceAnswer(Answer):
    """Where in a file something stands: its page, slide or sheet."""

    kind: PlaceKind
    name: str = Field(description="The number of a page or slide from 1, or the sheet's name.")


class FoundFileAnswer(Answer):
    """A file, with the place in its text. `snippet` is a list of [text, is_hit]."""

    match: Literal["exact", "related"] = Field(
        description="`exact`: its text or its name has all the words."
    )

    attachment_id: str
    name: str
    conversation_id: str
    title: str | None
    sequence_number: int = Field(description="The message that has the file.")
    created_at: Instant = Field(description="When that message was written.")
    place: PlaceAnswer | None = Field(
        description="Null where the file has no pages, slides or sheets that are known."
    )
    snippet: Pieces


class SearchAnswer(Answer):
    """What was found, best first."""

    query: str
    corrected: Mapping[str, str] = Field(description="Misspelt words, each with its correction.")
    incomplete: bool = Field(description="The search ran out of time: there may be more.")
    messages: list[FoundAnswer] = Field(description="Exact ones first.")
    episodes: list[FoundEpisodeAnswer]
    files: list[FoundFileAnswer] = Field(description="By what stands in them. Exact ones first.")
    conversations: list[ListedAnswer] = Field(description="By their titles.")
    facts: list[FactAnswer] = Field(description="Current ones, by key and value.")


@blueprint.get("")
@needs("memory:read")
@operation()
def search(query: SearchQuery) -> SearchAnswer:
    """Search in messages, episodes, files, titles and facts.

    The best are given; there are no further pages. With `role` or `conversation_id`, no titles and
    facts are searched; with `role`, no files.
    """
    context = web_context()
    services = context.services
    question = Question(
        user_id=g.user_id,
        text=query.q,
        asked_at=(query.as_of or datetime.now(UTC)).astimezone(find_zone(services, g.user_id)),
        model=model_name(services.settings),
        as_of=query.as_of,
        memory=_find_memory(query),
    )
    limit = min(query.limit or query.DEFAULT, query.MOST)
    with search_slot():
        hits = search_memory(
            services.database,
            context.encoder,
            Search(query=question, only=_filter_of(query), limit=limit),
        )
    return SearchAnswer(
        query=query.q,
        corrected=hits.corrected,
        incomplete=hits.incomplete,
        messages=[
            *(_message_answer(message, snippet, "exact") for message, snippet in hits.exact),
            *(_message_answer(message, snippet, "related") for message, snippet in hits.related),
        ],
        episodes=[
            FoundEpisodeAnswer.model_validate(
                episode_fields(episode)
                | {"sequence_number": episode.span.start, "snippet": snippet}
            )
            for episode, snippet in hits.episodes
        ],
        files=[
            *(_file_answer(file, snippet, "exact") for file, snippet in hits.files.exact),
            *(_file_answer(file, snippet, "related") for file, snippet in hits.files.related),
        ],
        conversations=[listed_answer(conversation) for conversation in hits.conversations],
        facts=[fact_answer(fact) for fact in hits.facts],
    )


def check_query(text: str, name: str) -> str:
    """The query without white space around it. Raises `InvalidRequestError` naming `name`."""
    text = text.strip()
    if not text:
        raise InvalidRequestError(f"{name}: what to search for is missing.")
    if len(text) > MAX_QUERY_CHARS:
        limit = f"the limit is {MAX_QUERY_CHARS} characters"
        raise InvalidRequestError(f"{name}: is too long; {limit}.")
    if MANY_MINUSES.search(text):
        raise InvalidRequestError(f"{name}: has too many minus signs in a row.")
    if not is_storable(text):
        raise InvalidRequestError(f"{name}: holds characters that no message can hold.")
    return text


def _find_memory(query: SearchQuery) -> MemoryScope:
    """The project's; else that of the conversation which is searched alone."""
    with transaction() as connection:
        if query.project is None and query.conversation_id is not None:
            conversation_id = ConversationId(query.conversation_id)
            return memory_of(projects.find_memory(connection, conversation_id))
        return find_memory(connection, query.project)


def _filter_of(query: SearchQuery) -> SearchFilter:
    return SearchFilter(
        since=query.since, role=query.role, conversation_ids=_list_branches(query.conversation_id)
    )


def _list_branches(conversation_id: str | None) -> list[ConversationId] | None:
    """The conversation, then the other branches of its chat."""
    if conversation_id is None:
        return None
    first = ConversationId(conversation_id)
    with transaction() as connection:
        family = branches.list_family(connection, first)
    others = [branch.conversation_id for branch in family if branch.conversation_id != first]
    return [first, *others]


def _message_answer(
    message: FoundMessage, snippet: Pieces, match: Literal["exact", "related"]
) -> FoundAnswer:
    return FoundAnswer(
        match=match,
        conversation_id=message.conversation_id,
        title=message.title,
        sequence_number=message.sequence_number,
        role=message.role,
        created_at=message.created_at,
        snippet=snippet,
    )


def _file_answer(
    passage: FilePassage, snippet: Pieces, match: Literal["exact", "related"]
) -> FoundFileAnswer:
    return FoundFileAnswer(
        match=match,
        attachment_id=passage.attachment_id,
        name=passage.name,
        conversation_id=passage.conversation_id,
        title=passage.title,
        sequence_number=passage.sequence_number,
        created_at=passage.sent_at,
        place=PlaceAnswer(**asdict(passage.place)) if passage.place else None,
        snippet=snippet,
    )

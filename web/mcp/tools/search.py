"""`search`: messages, episodes and files that match a query."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import g
from pydantic import Field

from shared.embeddings.model_properties import model_name
from shared.models import Query, SearchFilter
from shared.models.attachments import FilePassage
from shared.policy.snippets import Pieces
from shared.recall.search import Search, search_memory
from shared.store.search.hits import FoundMessage
from web.fields.memories import find_memory
from web.fields.time_zone import find_zone
from web.mcp.items import EpisodeItem, FileItem, Instant, Item, MessageItem, episode_item
from web.mcp.tool import MemoryArguments, Tool
from web.mcp.uris import message_uri
from web.process.context import transaction, web_context
from web.process.search_slots import search_slot
from web.views.search import MAX_QUERY_CHARS, check_query


class SearchArguments(MemoryArguments):
    query: str = Field(
        description=(
            f"Words or a question, at most {MAX_QUERY_CHARS} characters. “Quoted words” are found "
            "as they stand; a minus sign excludes a word."
        )
    )
    limit: int = Field(default=10, ge=1, le=50)
    as_of: Instant | None = Field(default=None, description="Find only what had been said by then.")


class Found(Item):
    messages: list[MessageItem] = Field(description="The best first.")
    episodes: list[EpisodeItem]
    files: list[FileItem] = Field(description="Attached files whose text matches, the best first.")
    corrected: dict[str, str] = Field(
        description="Misspelt words of the query, with what was searched for instead."
    )
    incomplete: bool = Field(description="The search ran out of time: there may be more.")


def search(arguments: SearchArguments) -> Found:
    context = web_context()
    services = context.services
    text = check_query(arguments.query, "query")
    with transaction() as connection:
        memory = find_memory(connection, arguments.project)
    query = Query(
        user_id=g.user_id,
        text=text,
        asked_at=(arguments.as_of or datetime.now(UTC)).astimezone(find_zone(services, g.user_id)),
        model=model_name(services.settings),
        as_of=arguments.as_of,
        memory=memory,
    )
    with search_slot():
        result = search_memory(
            services.database,
            context.encoder,
            Search(query=query, only=SearchFilter(), limit=arguments.limit),
        )
    return Found(
        messages=[_message_item(message, pieces) for message, pieces in result.messages],
        episodes=[episode_item(episode) for episode, _ in result.episodes],
        files=[
            _file_item(file, pieces)
            for file, pieces in (*result.files.exact, *result.files.related)
        ],
        corrected=dict(result.corrected),
        incomplete=result.incomplete,
    )


def _message_item(message: FoundMessage, pieces: Pieces) -> MessageItem:
    return MessageItem(
        uri=message_uri(message.conversation_id, message.sequence_number),
        conversation=message.title,
        role=message.role,
        said_at=message.created_at,
        excerpt="".join(text for text, _ in pieces),
    )


def _file_item(passage: FilePassage, pieces: Pieces) -> FileItem:
    return FileItem(
        uri=message_uri(passage.conversation_id, passage.sequence_number),
        name=passage.name,
        conversation=passage.title,
        sent_at=passage.sent_at,
        place=str(passage.place) if passage.place else None,
        excerpt="".join(text for text, _ in pieces),
    )


SEARCH = Tool(
    name="search",
    title="Search what was said",
    description=(
        "Search all earlier conversations of the user for words, names or a subject. Answers with "
        "excerpts of messages and files and summaries of episodes, each with date and address. For "
        "context to answer a question, use recall."
    ),
    arguments=SearchArguments,
    result=Found,
    run=search,
    scope="memory:read",
)

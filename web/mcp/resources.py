"""Resources: facts and episodes are listed; they and single messages can be read."""

from __future__ import annotations

from flask import g
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from shared.db import enter_memory
from shared.errors import NotFoundError
from shared.models import Episode, Fact
from shared.models.memory_scope import ALL_MEMORIES
from shared.store import conversations, episodes, messages
from shared.store.facts import versions as fact_versions
from web.identity.request_audit import note_read
from web.mcp import uris
from web.mcp.items import Item, MessageItem, episode_item, fact_item
from web.mcp.listing import FactFilter, list_episodes, list_facts, read_cursor
from web.process.context import transaction

JSON = "application/json"
PAGE = 100

TEMPLATES = (
    ResourceTemplate(
        name="fact",
        title="Fact",
        uri_template=uris.FACT,
        description="One version of a fact about the user.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="episode",
        title="Episode",
        uri_template=uris.EPISODE,
        description="The summary of a part of a conversation.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="message",
        title="Message",
        uri_template=uris.MESSAGE,
        description="A whole message: what the user or a model said.",
        mime_type=JSON,
    ),
)


def list_resources(cursor: str | None) -> ListResourcesResult:
    """Current facts, then episodes, newest first. A cursor is `facts:12` or `episodes:12`."""
    kind, _, place = (cursor or "facts:").partition(":")
    if kind not in {"facts", "episodes"}:
        kind, place = "", "?"
    before = read_cursor(place) if place else None
    if kind == "facts":
        facts, following = list_facts(before, PAGE, FactFilter())
        return ListResourcesResult(
            resources=[_fact_resource(fact) for fact in facts],
            next_cursor="episodes:" if following is None else f"facts:{following}",
        )
    page, following = list_episodes(before, PAGE)
    return ListResourcesResult(
        resources=[_episode_resource(episode) for episode in page],
        next_cursor=None if following is None else f"episodes:{following}",
    )


def list_templates() -> ListResourceTemplatesResult:
    return ListResourceTemplatesResult(resource_templates=list(TEMPLATES))


def read_resource(uri: str) -> ReadResourceResult:
    """Raises `MCPError` for what is not there, and `InvalidRequestError` for no address."""
    try:
        item = _read(uris.read_uri(uri))
    except NotFoundError as exc:
        raise MCPError(code=INVALID_PARAMS, message=exc.message, data={"uri": uri}) from exc
    note_read("memory.read")
    text = item.model_dump_json()
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=JSON, text=text)])


def _read(place: uris.Numbered | uris.Spoken) -> Item:
    with transaction() as connection:
        match place:
            case uris.Numbered("facts", fact_id):
                enter_memory(connection, ALL_MEMORIES)
                return fact_item(fact_versions.get_fact(connection, g.user_id, fact_id))
            case uris.Numbered(_, episode_id):
                matches = episodes.list_by_ids(connection, g.user_id, [episode_id])
                if not matches:
                    raise NotFoundError("There is no such episode.")
                return episode_item(matches[0])
            case uris.Spoken(conversation_id, sequence):
                conversation = conversations.get_conversation(
                    connection, g.user_id, conversation_id
                )
                message = messages.get_message(connection, conversation_id, sequence)
                if message.deleted_at is not None:
                    raise NotFoundError("There is no such message.")
    return MessageItem(
        uri=uris.message_uri(conversation_id, sequence),
        conversation=conversation.title,
        role=message.role,
        said_at=message.created_at,
        excerpt=message.content,
    )


def _fact_resource(fact: Fact) -> Resource:
    return Resource(
        uri=uris.fact_uri(fact.fact_id),
        name=f"{fact.category}/{fact.key}",
        description=fact.value,
        mime_type=JSON,
    )


def _episode_resource(episode: Episode) -> Resource:
    return Resource(
        uri=uris.episode_uri(episode.episode_id),
        name=f"episode {episode.started_at:%Y-%m-%d}",
        description=episode.summary,
        mime_type=JSON,
    )

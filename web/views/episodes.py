"""Episodes: listed and deleted."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.models import ConversationId, Episode
from shared.store import episodes
from shared.user_data.erasure.episodes import erase_episode
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.operation import operation
from web.api.receipt_answers import ReceiptAnswer, receipt_answer
from web.fields.memories import MemoryQuery, memory_transaction
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.queries import DryRun, Id, Listing

blueprint = Blueprint("episodes", __name__, url_prefix="/episodes")


class EpisodesQuery(MemoryQuery, Listing):
    conversation_id: Id | None = Field(default=None, description="Those of one conversation.")


class EpisodeAnswer(Answer):
    """A closed span of messages, summed up."""

    id: int
    conversation_id: str
    turn_range: str = Field(examples=["0-19"])
    start: int = Field(description="The number of its first message.")
    end: int = Field(description="The number of its last message.")
    summary: str
    key_concepts: list[str]
    started_at: Instant
    ended_at: Instant
    embedding_model: str | None = Field(description="Null: it has no vector yet.")
    is_fallback: bool = Field(description="The stand-in made it: the model could not.")
    created_at: Instant | None


class EpisodePage(Page):
    episodes: list[EpisodeAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_episodes(query: EpisodesQuery) -> EpisodePage:
    """List episodes, newest first."""
    place = read_cursor(query)
    conversation_id = query.conversation_id
    with memory_transaction(query.project) as connection:
        entries = episodes.list_episodes(
            connection,
            g.user_id,
            conversation_id=ConversationId(conversation_id) if conversation_id else None,
            limit=query.size + 1,
            before_id=place[0] if place else None,
        )
    return EpisodePage(
        episodes=[episode_answer(episode) for episode in entries[: query.size]],
        next_cursor=next_cursor(entries, query, lambda episode: (episode.episode_id,)),
    )


@blueprint.delete("/<bigint:episode_id>")
@needs("memory:write")
@operation()
def delete_episode(episode_id: int, query: DryRun) -> ReceiptAnswer:
    """Delete an episode. Its messages stay."""
    with transaction() as connection:
        receipt = erase_episode(connection, g.user_id, episode_id, dry_run=query.dry_run)
    return receipt_answer(receipt)


def episode_fields(episode: Episode) -> dict[str, object]:
    return {
        "id": episode.episode_id,
        "conversation_id": episode.conversation_id,
        "turn_range": f"{episode.span.start}-{episode.span.end}",
        "start": episode.span.start,
        "end": episode.span.end,
        "summary": episode.summary,
        "key_concepts": list(episode.key_concepts),
        "started_at": episode.started_at,
        "ended_at": episode.ended_at,
        "embedding_model": episode.embedding_model,
        "is_fallback": episode.is_fallback,
        "created_at": episode.created_at,
    }


def episode_answer(episode: Episode) -> EpisodeAnswer:
    return EpisodeAnswer.model_validate(episode_fields(episode))

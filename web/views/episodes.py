"""Episodes: listed and deleted."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request

from shared.models import Episode
from shared.store import episodes
from shared.user_data.erasure.episodes import erase_episode
from web.callers import needs
from web.context import transaction
from web.forms import MAX_ID, check_id, read_flag, read_limit, read_number
from web.receipts import receipt_json

blueprint = Blueprint("episodes", __name__, url_prefix="/api/episodes")


@blueprint.get("")
@needs("memory:read")
def list_episodes() -> Response:
    """Newest first; `next` is the `before` of the page after this one."""
    limit = read_limit(request, default=30, most=100)
    conversation_id = request.args.get("conversation_id")
    with transaction() as connection:
        found = episodes.list_episodes(
            connection,
            g.user_id,
            conversation_id=check_id(conversation_id) if conversation_id else None,
            limit=limit + 1,
            before_id=read_number(request, "before", MAX_ID),
        )
    page = found[:limit]
    return jsonify(
        episodes=[episode_json(one) for one in page],
        next=page[-1].episode_id if len(found) > limit else None,
    )


@blueprint.delete("/<bigint:episode_id>")
@needs("memory:write")
def delete_episode(episode_id: int) -> Response:
    """The messages of the episode stay."""
    dry_run = read_flag(request, "dry_run")
    with transaction() as connection:
        receipt = erase_episode(connection, g.user_id, episode_id, dry_run=dry_run)
    return jsonify(receipt_json(receipt))


def episode_json(episode: Episode) -> dict[str, object]:
    return {
        "id": episode.episode_id,
        "conversation_id": episode.conversation_id,
        "turn_range": f"{episode.span.start}-{episode.span.end}",
        "start": episode.span.start,
        "end": episode.span.end,
        "summary": episode.summary,
        "key_concepts": list(episode.key_concepts),
        "started_at": episode.started_at.isoformat(),
        "ended_at": episode.ended_at.isoformat(),
        "embedding_model": episode.embedding_model,
        "is_fallback": episode.is_fallback,
        "created_at": episode.created_at.isoformat() if episode.created_at else None,
    }

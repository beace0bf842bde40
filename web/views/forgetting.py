"""Deletion: a conversation, an episode, everything about the user."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from pydantic import BaseModel, ConfigDict

from shared.errors import InvalidRequestError
from shared.forgetting import forget_conversation, forget_user
from shared.models import ConversationId
from shared.store import episodes
from web.context import web_context
from web.forms import read_form

blueprint = Blueprint("forgetting", __name__, url_prefix="/api")

NO_CONTENT = 204


class ForgetMeForm(BaseModel):
    """`DELETE /api/me`. `confirm` is the user's own id: nobody sends that by mistake."""

    model_config = ConfigDict(strict=True, extra="forbid")

    confirm: str


@blueprint.delete("/conversations/<uuid:conversation_id>")
def delete_conversation(conversation_id: UUID) -> tuple[str, int]:
    """With its messages, summaries and episodes. Facts that were learned from it stay."""
    context = web_context()
    own_id = ConversationId(str(conversation_id))
    forget_conversation(context.services, context.runner, g.user_id, own_id)
    return "", NO_CONTENT


@blueprint.delete("/episodes/<int(max=9223372036854775807):episode_id>")
def delete_episode(episode_id: int) -> tuple[str, int]:
    """What was made of the messages; they themselves stay."""
    with web_context().services.database.transaction() as connection:
        episodes.delete_episode(connection, g.user_id, episode_id)
    return "", NO_CONTENT


@blueprint.delete("/me")
def delete_me() -> Response:
    """Everything about the user, in every table and in Redis."""
    form = read_form(request, ForgetMeForm)
    if form.confirm != g.user_id:
        raise InvalidRequestError("confirm: must be your user id.")
    context = web_context()
    count = forget_user(context.services, context.runner, g.user_id)
    return jsonify(deleted=True, conversations=count)

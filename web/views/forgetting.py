"""Deletion: a conversation, a message or round, an episode, everything about the user."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from pydantic import BaseModel, ConfigDict

from shared.errors import InvalidRequestError
from shared.models import ConversationId
from shared.store import episodes
from shared.store.upkeep.receipts import Counts
from shared.user_data.erasure.conversations import forget_conversation, forget_user
from shared.user_data.erasure.messages import delete_message
from shared.user_data.erasure.receipts import Receipt
from web.context import transaction, web_context
from web.forms import read_flag, read_form
from web.receipts import receipt_json

blueprint = Blueprint("forgetting", __name__, url_prefix="/api")


class ForgetMeForm(BaseModel):
    """`DELETE /api/me`. `confirm` is the user's own id: nobody sends that by mistake."""

    model_config = ConfigDict(strict=True, extra="forbid")

    confirm: str


@blueprint.delete("/conversations/<uuid:conversation_id>")
def delete_conversation(conversation_id: UUID) -> Response:
    """With its messages, summaries and episodes. Facts that were learned from it stay."""
    context, dry_run = web_context(), read_flag(request, "dry_run")
    own_id = ConversationId(str(conversation_id))
    receipt = forget_conversation(
        context.services, context.runner, g.user_id, own_id, dry_run=dry_run
    )
    return jsonify(receipt_json(receipt))


@blueprint.delete("/conversations/<uuid:conversation_id>/messages/<int:sequence>")
def delete_one_message(conversation_id: UUID, sequence: int) -> Response:
    """What it said, and what was made of it; its place stays. With `round` the whole round."""
    receipt = delete_message(
        web_context().services,
        g.user_id,
        ConversationId(str(conversation_id)),
        sequence,
        whole_round=read_flag(request, "round"),
        dry_run=read_flag(request, "dry_run"),
    )
    return jsonify(receipt_json(receipt))


@blueprint.delete("/episodes/<int(max=9223372036854775807):episode_id>")
def delete_episode(episode_id: int) -> Response:
    """What was made of the messages; they themselves stay."""
    dry_run = read_flag(request, "dry_run")
    with transaction() as connection:
        vectors = episodes.count_vectors(connection, g.user_id, episode_id)
        if not dry_run:
            episodes.delete_episode(connection, g.user_id, episode_id)
    receipt = Receipt(counts=Counts(episodes=1, vectors=vectors), dry_run=dry_run)
    return jsonify(receipt_json(receipt))


@blueprint.delete("/me")
def delete_me() -> Response:
    """Everything about the user, in every table and in Redis."""
    dry_run = read_flag(request, "dry_run")
    form = read_form(request, ForgetMeForm)
    if form.confirm != g.user_id:
        raise InvalidRequestError("confirm: must be your user id.")
    context = web_context()
    receipt = forget_user(context.services, context.runner, g.user_id, dry_run=dry_run)
    return jsonify(receipt_json(receipt) | {"conversations": receipt.counts.conversations})

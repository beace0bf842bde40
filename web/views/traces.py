"""Traces: what a reply was given, and what was cut."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, g, jsonify

from shared.errors import NotFoundError
from shared.models import ConversationId
from shared.recall.traces import read_trace
from shared.store import conversations
from web.context import transaction

blueprint = Blueprint("traces", __name__, url_prefix="/api/conversations")


@blueprint.get("/<uuid:conversation_id>/messages/<int:sequence>/trace")
def show_trace(conversation_id: UUID, sequence: int) -> Response:
    """What no longer exists is `gone`. A word of `corrected` is null if no message says it now.

    404 for messages without a trace: user messages, open rounds and imported replies.
    """
    own_id = ConversationId(str(conversation_id))
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, own_id)
        trace = read_trace(connection, g.user_id, own_id, sequence)
    if trace is None:
        raise NotFoundError("This message has no trace.")
    return jsonify(conversation_id=own_id, sequence_number=sequence, trace=trace)

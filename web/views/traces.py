"""Traces: what the prompt of a reply contained, and what was cut."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify

from shared.errors import NotFoundError
from shared.models import ConversationId
from shared.recall.traces import read_trace
from shared.store import conversations
from web.callers import needs
from web.context import transaction

blueprint = Blueprint("traces", __name__, url_prefix="/api/conversations")


@blueprint.get("/<conversation:conversation_id>/messages/<int:sequence>/trace")
@needs("memory:read")
def show_trace(conversation_id: ConversationId, sequence: int) -> Response:
    """Deleted sources are `gone`. A word of `corrected` is null if no message contains it now.

    404 for messages without a trace: user messages, open rounds and imported replies.
    """
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        trace = read_trace(connection, g.user_id, conversation_id, sequence)
    if trace is None:
        raise NotFoundError("This message has no trace.")
    return jsonify(conversation_id=conversation_id, sequence_number=sequence, trace=trace)

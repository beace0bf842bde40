"""Traces: what the prompt of a reply contained, and what was cut."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g
from pydantic import Field

from shared.errors import NotFoundError
from shared.models import ConversationId
from shared.recall.traces import read_trace
from shared.store import conversations
from web.api.answers import Answer
from web.api.operation import operation
from web.process.context import transaction
from web.requests.callers import needs

blueprint = Blueprint("traces", __name__, url_prefix="/conversations")


class TraceAnswer(Answer):
    conversation_id: str
    sequence_number: int
    trace: dict[str, Any] = Field(
        description="By tier: what was given, with scores. Deleted sources are `gone`. `used`: the "
        "reply has words of it that the question does not have. A word of `corrected` is null if "
        "no message contains it now. `reasoning`: what the model thought, and for how many `ms`."
    )


@blueprint.get("/<conversation:conversation_id>/messages/<int:sequence>/trace")
@needs("memory:read")
@operation()
def show_trace(conversation_id: ConversationId, sequence: int) -> TraceAnswer:
    """Show what a reply was given and what was cut.

    404 for messages without a trace: user messages, open rounds and imported replies.
    """
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        trace = read_trace(connection, g.user_id, conversation_id, sequence)
    if trace is None:
        raise NotFoundError("This message has no trace.")
    return TraceAnswer(conversation_id=conversation_id, sequence_number=sequence, trace=trace)

"""The messages of a conversation: listed in pages, and deleted."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request

from shared.db import PgConnection
from shared.errors import InvalidRequestError
from shared.models import ConversationId, Message
from shared.policy.trace import count_remembered
from shared.store import conversations, messages
from shared.user_data.erasure.messages import Selection, erase_selection
from web.callers import needs
from web.context import transaction, web_context
from web.forms import read_flag, read_limit, read_number
from web.receipts import receipt_json
from web.views.conversations import conversation_json

blueprint = Blueprint(
    "messages", __name__, url_prefix="/api/conversations/<conversation:conversation_id>/messages"
)


@blueprint.get("")
@needs("memory:read")
def list_messages(conversation_id: ConversationId) -> Response:
    """The newest page, or the page `before`, `after` or `around` a message; oldest first.

    `has_more`: there are older messages; `has_newer`: there are newer messages.
    """
    limit = read_limit(request, default=50, most=200)
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
        page = _list_page(connection, conversation_id, limit)
        last = messages.find_last_sequence(connection, conversation_id)
    return jsonify(
        **conversation_json(conversation),
        messages=[_message_json(message) for message in page],
        has_more=bool(page) and page[0].sequence_number > 0,
        has_newer=bool(page) and page[-1].sequence_number < (last or 0),
    )


@blueprint.delete("/<int:sequence>")
@needs("memory:write")
def delete_message(conversation_id: ConversationId, sequence: int) -> Response:
    """Delete a message and its derived memory; its number stays. `round`: the whole round."""
    selection = Selection(
        conversation_id=conversation_id,
        sequence=sequence,
        whole_round=read_flag(request, "round"),
    )
    dry_run = read_flag(request, "dry_run")
    receipt = erase_selection(web_context().services, g.user_id, selection, dry_run=dry_run)
    return jsonify(receipt_json(receipt))


def _list_page(
    connection: PgConnection, conversation_id: ConversationId, limit: int
) -> list[Message]:
    before, after, around = (read_number(request, name) for name in ("before", "after", "around"))
    if (before, after, around).count(None) < 2:
        raise InvalidRequestError("before, after, around: name one of them at most.")
    if after is not None:
        return messages.list_after(connection, conversation_id, limit=limit, after=after)
    if around is not None:
        return messages.list_around(connection, conversation_id, limit=limit, around=around)
    return messages.list_newest(connection, conversation_id, limit=limit, before=before)


def _message_json(message: Message) -> dict[str, object]:
    return {
        "sequence_number": message.sequence_number,
        "role": message.role,
        "content": message.content,
        "status": message.status,
        "finish_reason": message.finish_reason,
        "model": message.model,
        "created_at": message.created_at.isoformat(),
        "error": message.error,
        "deleted": message.deleted_at is not None,
        "remembered": count_remembered(message.trace),
    }

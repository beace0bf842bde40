"""Conversations: listed, changed, deleted, and what each has cost."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from flask import Blueprint, Response, g, jsonify, request
from pydantic import Field

from shared.access.audit import record
from shared.errors import ConflictError, InvalidRequestError
from shared.models import Conversation, ConversationId, Mode, Thing
from shared.policy.text import is_storable
from shared.store import conversations, usage
from shared.user_data.erasure.conversations import erase_conversation
from web.callers import needs
from web.context import transaction, web_context
from web.forms import StrictForm, read_cursor, read_flag, read_form, read_limit, write_cursor
from web.receipts import receipt_json

blueprint = Blueprint("conversations", __name__, url_prefix="/api/conversations")

MAX_TITLE_CHARS = 200


class ChangeForm(StrictForm):
    """`PATCH /api/conversations/{conversation_id}`. A title of null takes the title away."""

    title: Annotated[str, Field(max_length=MAX_TITLE_CHARS)] | None = None
    mode: Mode | None = None


@blueprint.get("")
@needs("memory:read")
def list_conversations() -> Response:
    """Newest activity first; `next` is the `before` of the page after this one."""
    limit = read_limit(request, default=30, most=100)
    with transaction() as connection:
        listed = conversations.list_conversations(
            connection, g.user_id, limit=limit + 1, before=read_cursor(request)
        )
    page = listed[:limit]
    last = page[-1].conversation if len(listed) > limit else None
    return jsonify(
        conversations=[
            conversation_json(entry.conversation) | {"preview": entry.preview} for entry in page
        ],
        next=write_cursor(last.updated_at, last.conversation_id) if last else None,
    )


@blueprint.patch("/<conversation:conversation_id>")
@needs("memory:write")
def change_conversation(conversation_id: ConversationId) -> Response:
    """Fields that are not named stay as they are."""
    form = read_form(request, ChangeForm)
    title = _check_title(form.title)
    with transaction() as connection:
        before = conversations.lock_conversation(connection, g.user_id, conversation_id)
        _check_mode(before.mode, form.mode)
        changed = conversations.change_conversation(
            connection,
            g.user_id,
            conversation_id,
            title=title if "title" in form.model_fields_set else before.title,
            mode=form.mode or before.mode,
        )
        thing = Thing("conversation", conversation_id)
        record(connection, "conversation.change", g.user_id, thing)
    return jsonify(conversation_id=conversation_id, title=changed.title, mode=changed.mode)


@blueprint.delete("/<conversation:conversation_id>")
@needs("memory:write")
def delete_conversation(conversation_id: ConversationId) -> Response:
    """Delete its messages, summaries and episodes, too. Facts that were learned from it stay."""
    context, dry_run = web_context(), read_flag(request, "dry_run")
    receipt = erase_conversation(
        context.services, context.runner, g.user_id, conversation_id, dry_run=dry_run
    )
    return jsonify(receipt_json(receipt))


@blueprint.get("/<conversation:conversation_id>/usage")
@needs("memory:read")
def list_usage(conversation_id: ConversationId) -> Response:
    """Calls and tokens by purpose and model: what this conversation has cost."""
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        totals = usage.list_usage(connection, conversation_id)
    return jsonify(usage=[asdict(total) for total in totals])


def conversation_json(conversation: Conversation) -> dict[str, object]:
    return {
        "conversation_id": conversation.conversation_id,
        "title": conversation.title,
        "agent": conversation.agent,
        "mode": conversation.mode,
        "last_sequence": conversation.last_sequence,
        "created_at": conversation.created_at.isoformat(),
        "updated_at": conversation.updated_at.isoformat(),
    }


def _check_mode(before: Mode, wanted: Mode | None) -> None:
    """The mode `off` (off the record) is chosen at the start and cannot be changed."""
    if wanted not in {None, before} and "off" in {before, wanted}:
        raise ConflictError("Off the record is chosen when a conversation begins.")


def _check_title(title: str | None) -> str | None:
    if title is None:
        return None
    if not title.strip() or not is_storable(title):
        raise InvalidRequestError("title: is empty, or holds characters that cannot be stored.")
    return title.strip()

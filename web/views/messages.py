"""The messages of a conversation: listed in pages, and deleted."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.db import PgConnection
from shared.errors import InvalidRequestError, RoundInProgressError
from shared.models import ConversationId, FinishReason, Message, MessageStatus, Role
from shared.policy.trace import count_remembered
from shared.store import conversations, messages
from shared.user_data.erasure.messages import Selection, erase_selection
from web.api.answers import Answer, Instant
from web.api.cursors import read_cursor, write_cursor
from web.api.operation import operation
from web.api.queries import DryRun, Flag, Listing, Number
from web.callers import needs
from web.context import transaction, web_context
from web.receipts import ReceiptAnswer, receipt_answer
from web.views.conversations import ConversationAnswer, conversation_fields

blueprint = Blueprint(
    "messages", __name__, url_prefix="/api/conversations/<conversation:conversation_id>/messages"
)


class MessagesQuery(Listing):
    """One of `cursor`, `before`, `after` and `around` at most."""

    DEFAULT = 50
    MOST = 200

    before: Number | None = Field(default=None, description="Those before this number.")
    after: Number | None = Field(default=None, description="Those after this number.")
    around: Number | None = Field(default=None, description="Those around this number.")


class MessageDeletion(DryRun):
    round: Flag = Field(default=False, description="The whole round.")


class Remembered(Answer):
    """How much memory a reply was given, and how much was cut."""

    facts: int
    episodes: int
    messages: int
    points: int
    cut: int


class MessageAnswer(Answer):
    sequence_number: int
    role: Role
    content: str
    status: MessageStatus
    finish_reason: FinishReason | None
    model: str | None
    created_at: Instant
    error: str | None
    deleted: bool
    remembered: Remembered | None


class MessagePage(ConversationAnswer):
    """A conversation with a page of its messages, oldest first."""

    messages: list[MessageAnswer]
    has_more: bool = Field(description="There are older messages.")
    has_newer: bool = Field(description="There are newer messages.")
    next_cursor: str | None = Field(
        default=None, description="The `cursor` of the page before this one: of older messages."
    )


@blueprint.get("")
@needs("memory:read")
@operation()
def list_messages(conversation_id: ConversationId, query: MessagesQuery) -> MessagePage:
    """List messages: the newest page, or the one before, after or around a message."""
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
        page = _list_page(connection, conversation_id, query)
        last = messages.find_last_sequence(connection, conversation_id)
    has_more = bool(page) and page[0].sequence_number > 0
    return MessagePage.model_validate(
        conversation_fields(conversation)
        | {
            "messages": [_message_answer(message) for message in page],
            "has_more": has_more,
            "has_newer": bool(page) and page[-1].sequence_number < (last or 0),
            "next_cursor": write_cursor([page[0].sequence_number]) if has_more else None,
        }
    )


@blueprint.delete("/<int:sequence>")
@needs("memory:write")
@operation(raises=(RoundInProgressError,))
def delete_message(
    conversation_id: ConversationId, sequence: int, query: MessageDeletion
) -> ReceiptAnswer:
    """Delete a message and its derived memory. Its number stays."""
    selection = Selection(
        conversation_id=conversation_id, sequence=sequence, whole_round=query.round
    )
    receipt = erase_selection(web_context().services, g.user_id, selection, dry_run=query.dry_run)
    return receipt_answer(receipt)


def _list_page(
    connection: PgConnection, conversation_id: ConversationId, query: MessagesQuery
) -> list[Message]:
    place = read_cursor(query)
    before = place[0] if place else query.before
    if (before, query.after, query.around).count(None) < 2 or (place and query.before is not None):
        raise InvalidRequestError("cursor, before, after, around: name one of them at most.")
    if query.after is not None:
        return messages.list_after(connection, conversation_id, limit=query.size, after=query.after)
    if query.around is not None:
        return messages.list_around(
            connection, conversation_id, limit=query.size, around=query.around
        )
    return messages.list_newest(connection, conversation_id, limit=query.size, before=before)


def _message_answer(message: Message) -> MessageAnswer:
    remembered = count_remembered(message.trace)
    return MessageAnswer(
        sequence_number=message.sequence_number,
        role=message.role,
        content=message.content,
        status=message.status,
        finish_reason=message.finish_reason,
        model=message.model,
        created_at=message.created_at,
        error=message.error,
        deleted=message.deleted_at is not None,
        remembered=Remembered.model_validate(remembered) if remembered else None,
    )

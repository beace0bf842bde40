"""The messages of a conversation: listed in pages, and deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from flask import Blueprint, g
from pydantic import Field

from shared.db import PgConnection
from shared.derivations.withholding import remember_again
from shared.errors import InvalidRequestError, NothingToDoError, RoundInProgressError
from shared.events.announcements import announce_change
from shared.models import ConversationId, FinishReason, Message, MessageStatus, Role, Span
from shared.models.attachments import Attachment
from shared.policy.branches import list_forks
from shared.policy.reasoning import reasoning_ms
from shared.policy.trace import count_remembered, is_refusal
from shared.store import attachments, branches, conversations, messages, variants
from shared.user_data.erasure.messages import Selection, erase_selection
from web.api.answers import Answer, Instant
from web.api.cursors import read_cursor, write_cursor
from web.api.operation import operation
from web.api.receipt_answers import ReceiptAnswer, receipt_answer
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import DeletionWithReplies, Flag, Listing, Number
from web.views.attachments import AttachmentAnswer, attachment_answer
from web.views.conversations import ConversationAnswer, conversation_fields

blueprint = Blueprint(
    "messages", __name__, url_prefix="/conversations/<conversation:conversation_id>/messages"
)


class MessagesQuery(Listing):
    """One of `cursor`, `before`, `after` and `around` at most."""

    DEFAULT = 50
    MOST = 200

    before: Number | None = Field(default=None, description="Those before this number.")
    after: Number | None = Field(default=None, description="Those after this number.")
    around: Number | None = Field(default=None, description="Those around this number.")


Rating = Literal["up", "down"]
RATINGS: dict[int, Rating] = {1: "up", -1: "down"}


class MessageDeletion(DeletionWithReplies):
    round: Flag = Field(default=False, description="The whole round.")


class Remembered(Answer):
    """How much memory a reply was given, and how much was cut."""

    facts: int
    episodes: int
    messages: int
    passages: int = Field(description="Of files of earlier messages.")
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
    variant: int = Field(description="Which variant of the reply this is, from 1.")
    variants: list[int] = Field(description="All variants of the reply, with this one.")
    rating: Rating | None = Field(description="What the user thinks of the reply.")
    has_trace: bool = Field(description="Its trace can be read.")
    reasoning_ms: int | None = Field(
        description="How long the model thought before the reply. The trace has what it thought."
    )
    is_refusal: bool = Field(description="The model refuses to answer: this is what it says.")
    attachments: list[AttachmentAnswer] = Field(description="The files of a user message.")


class ForkAnswer(Answer):
    """A user message at which conversations part."""

    sequence: int
    branches: list[str] = Field(description="The conversations, the original first.")
    current: int = Field(description="The place of this conversation among them, from 0.")


class MessagePage(ConversationAnswer):
    """A conversation with a page of its messages, oldest first."""

    messages: list[MessageAnswer]
    has_more: bool = Field(description="There are older messages.")
    has_newer: bool = Field(description="There are newer messages.")
    forks: list[ForkAnswer]
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
        numbers = [message.sequence_number for message in page]
        others = variants.list_numbers(connection, conversation_id, numbers)
        last = messages.find_last_sequence(connection, conversation_id)
        files = _list_files(connection, conversation_id, numbers)
        forks = list_forks(branches.list_family(connection, conversation_id), conversation_id)
    has_more = bool(page) and page[0].sequence_number > 0
    return MessagePage.model_validate(
        conversation_fields(conversation)
        | {
            "messages": [
                message_answer(
                    message,
                    others.get(message.sequence_number, ()),
                    files.get(message.sequence_number, ()),
                )
                for message in page
            ],
            "has_more": has_more,
            "forks": [asdict(fork) for fork in forks],
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
        conversation_id=conversation_id,
        sequence=sequence,
        whole_round=query.round,
        with_replies=query.with_replies,
    )
    receipt = erase_selection(web_context().services, g.user_id, selection, dry_run=query.dry_run)
    return receipt_answer(receipt)


@blueprint.delete("/<int:sequence>/withholding")
@needs("memory:write")
@operation(204, raises=(NothingToDoError,))
def end_withholding(conversation_id: ConversationId, sequence: int) -> None:
    """Remember again what a message asks not to remember, or to forget.

    Facts that ended with it hold again.
    """
    with transaction() as connection:
        remember_again(connection, g.user_id, conversation_id, sequence)
    announce_change(web_context().services, g.user_id, conversation_id)


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


def _list_files(
    connection: PgConnection, conversation_id: ConversationId, numbers: Sequence[int]
) -> dict[int | None, list[Attachment]]:
    """The files of a page of messages, by message."""
    files: defaultdict[int | None, list[Attachment]] = defaultdict(list)
    if numbers:
        span = Span(start=numbers[0], end=numbers[-1])
        for file in attachments.list_attachments(connection, conversation_id, span):
            files[file.sequence_number].append(file)
    return files


def message_answer(
    message: Message, others: Sequence[int], files: Sequence[Attachment] = ()
) -> MessageAnswer:
    """Describe a message. `others` are the numbers of its variants that are not chosen."""
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
        variant=message.variant,
        variants=sorted([message.variant, *others]),
        rating=RATINGS.get(message.rating or 0),
        has_trace=message.trace is not None,
        reasoning_ms=reasoning_ms(message.trace),
        is_refusal=is_refusal(message.trace),
        attachments=[attachment_answer(file) for file in files],
    )

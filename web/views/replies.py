"""Replies of the user's conversations: their variants, and what the user thinks of them."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.db import PgConnection
from shared.errors import ConflictError, NotFoundError, RoundInProgressError
from shared.models import ConversationId, FinishReason, Message, MessageStatus, Variant
from shared.rounds.choosing import choose_variant, rate_reply
from shared.store import conversations, messages, variants
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import Listing
from web.views.messages import RATINGS, MessageAnswer, Rating, message_answer

blueprint = Blueprint(
    "replies", __name__, url_prefix="/conversations/<conversation:conversation_id>/messages"
)

NUMBER_OF = {rating: number for number, rating in RATINGS.items()}
MAX_VARIANT = 2**31 - 1


class VariantsQuery(Listing):
    """A page of variants has their whole texts."""

    DEFAULT = 20
    MOST = 50


class ReplyForm(StrictForm):
    """The fields to change. A rating of null takes the rating back."""

    variant: Annotated[int, Field(ge=1, le=MAX_VARIANT), WHOLE] | None = Field(
        default=None, description="The variant to choose."
    )
    rating: Rating | None = None


class VariantAnswer(Answer):
    variant: int
    chosen: bool = Field(description="It is the message: memory is made of it.")
    content: str
    status: MessageStatus
    finish_reason: FinishReason | None
    model: str | None
    error: str | None
    rating: Rating | None
    created_at: Instant


class VariantPage(Page):
    variants: list[VariantAnswer]


@blueprint.get("/<int:sequence>/variants")
@needs("memory:read")
@operation()
def list_variants(
    conversation_id: ConversationId, sequence: int, query: VariantsQuery
) -> VariantPage:
    """List the variants of a reply in the order in which they were written."""
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        entries = variants.list_variants(connection, conversation_id, sequence)
    if not entries:
        raise NotFoundError("There is no such reply.")
    page, after = cut_page(entries, query, lambda variant: (variant.number,))
    return VariantPage(variants=[_variant_answer(variant) for variant in page], next_cursor=after)


@blueprint.patch("/<int:sequence>")
@needs("memory:write")
@operation(raises=(ConflictError, RoundInProgressError))
def change_reply(conversation_id: ConversationId, sequence: int, form: ReplyForm) -> MessageAnswer:
    """Choose a variant of the newest reply, or rate a reply.

    Memory is made of the chosen variant; the others are kept. Fields that are not named stay as
    they are.
    """
    with transaction() as connection:
        changed = _change(connection, conversation_id, sequence, form)
        others = variants.list_numbers(connection, conversation_id, [sequence])
    if form.variant is not None:
        web_context().services.short_term.forget(conversation_id)
    return message_answer(changed, others.get(sequence, ()))


def _change(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, form: ReplyForm
) -> Message:
    if form.variant is not None:
        choose_variant(connection, g.user_id, conversation_id, sequence, form.variant)
    if "rating" in form.model_fields_set:
        rating = NUMBER_OF[form.rating] if form.rating else None
        rate_reply(connection, g.user_id, conversation_id, sequence, rating)
    conversations.get_conversation(connection, g.user_id, conversation_id)
    return messages.get_message(connection, conversation_id, sequence)


def _variant_answer(variant: Variant) -> VariantAnswer:
    return VariantAnswer(
        variant=variant.number,
        chosen=variant.is_chosen,
        content=variant.content,
        status=variant.status,
        finish_reason=variant.finish_reason,
        model=variant.model,
        error=variant.error,
        rating=RATINGS.get(variant.rating or 0),
        created_at=variant.created_at,
    )

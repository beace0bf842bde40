"""The rows that a deletion removed, or would remove with `dry_run`, as an answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from shared.models import Category, Message, Role
from shared.user_data.erasure.receipts import Receipt, TaughtFact
from web.api.answers import Answer

PREVIEW_CHARS = 300  # of a message that would be deleted


class DeletedMessage(Answer):
    conversation_id: str
    sequence_number: int
    role: Role
    text: str = Field(default="", description="The beginning of its text, in a dry run.")


class TaughtFactAnswer(Answer):
    """A fact that a deleted message had taught."""

    fact_id: int
    category: Category
    key: str
    value: str = Field(default="", description="In a dry run, and of one that stays.")
    stays: bool = Field(description="It outlives its message, without a source.")


class ReceiptAnswer(Answer):
    """What a deletion removed, or would remove. Fields that say nothing are left out."""

    deleted: bool
    dry_run: bool
    counts: dict[str, int] = Field(
        description="Rows by kind, without zeros.", examples=[{"facts": 1}]
    )
    messages: list[DeletedMessage] = Field(default=[], description="Single messages.")
    facts: list[TaughtFactAnswer] = Field(
        default=[], description="Other facts that these messages had taught."
    )
    mentions_left: int = Field(
        default=0, description="Messages that still contain the value of the deleted fact."
    )
    replies_left: int = Field(
        default=0,
        description="Replies of other conversations that repeat what was deleted, and stay.",
    )
    conversations: int = Field(default=0, description="After the deletion of everything.")

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_unset=True)


def receipt_answer(receipt: Receipt) -> ReceiptAnswer:
    more: dict[str, Any] = {}
    if receipt.messages:
        more["messages"] = [_message(message, receipt) for message in receipt.messages]
    if receipt.facts:
        more["facts"] = [_taught_fact(taught, receipt) for taught in receipt.facts]
    if receipt.mentions is not None:
        more["mentions_left"] = receipt.mentions
    if receipt.replies_left is not None:
        more["replies_left"] = receipt.replies_left
    counts = {kind: count for kind, count in asdict(receipt.counts).items() if count}
    return ReceiptAnswer(
        deleted=not receipt.dry_run, dry_run=receipt.dry_run, counts=counts, **more
    )


def _taught_fact(taught: TaughtFact, receipt: Receipt) -> TaughtFactAnswer:
    fact = taught.fact
    value_field = {"value": fact.value} if receipt.dry_run or taught.stays else {}
    return TaughtFactAnswer(
        fact_id=fact.fact_id,
        category=fact.category,
        key=fact.key,
        stays=taught.stays,
        **value_field,
    )


def _message(message: Message, receipt: Receipt) -> DeletedMessage:
    beginning = {"text": message.content[:PREVIEW_CHARS]} if receipt.dry_run else {}
    return DeletedMessage(
        conversation_id=message.conversation_id,
        sequence_number=message.sequence_number,
        role=message.role,
        **beginning,
    )

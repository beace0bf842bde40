"""What a deletion has taken, or with `dry_run` would take, as JSON."""

from __future__ import annotations

from dataclasses import asdict

from shared.models import Message
from shared.user_data.erasure.receipts import Receipt

PREVIEW_CHARS = 300  # of a message that goes


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """`counts` by kind; those of nothing are left out. `messages` name the single ones."""
    counts = {kind: count for kind, count in asdict(receipt.counts).items() if count}
    told: dict[str, object] = {
        "deleted": not receipt.dry_run,
        "dry_run": receipt.dry_run,
        "counts": counts,
    }
    if receipt.messages:
        told["messages"] = [_message_json(message, receipt) for message in receipt.messages]
    if receipt.mentions is not None:
        told["mentions_left"] = receipt.mentions
    return told


def _message_json(message: Message, receipt: Receipt) -> dict[str, object]:
    """With the beginning of what it says, as long as it says it."""
    place: dict[str, object] = {
        "conversation_id": message.conversation_id,
        "sequence_number": message.sequence_number,
        "role": message.role,
    }
    return place | ({"text": message.content[:PREVIEW_CHARS]} if receipt.dry_run else {})

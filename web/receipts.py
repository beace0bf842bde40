"""The rows that a deletion removed, or would remove with `dry_run`, as JSON."""

from __future__ import annotations

from dataclasses import asdict

from shared.models import Message
from shared.user_data.erasure.receipts import Receipt

PREVIEW_CHARS = 300  # of a message that would be deleted


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """`counts` by kind, without zeros. `messages` names single messages."""
    counts = {kind: count for kind, count in asdict(receipt.counts).items() if count}
    body: dict[str, object] = {
        "deleted": not receipt.dry_run,
        "dry_run": receipt.dry_run,
        "counts": counts,
    }
    if receipt.messages:
        body["messages"] = [_message_json(message, receipt) for message in receipt.messages]
    if receipt.mentions is not None:
        body["mentions_left"] = receipt.mentions
    return body


def _message_json(message: Message, receipt: Receipt) -> dict[str, object]:
    """A dry run shows the beginning of the text."""
    body: dict[str, object] = {
        "conversation_id": message.conversation_id,
        "sequence_number": message.sequence_number,
        "role": message.role,
    }
    return body | ({"text": message.content[:PREVIEW_CHARS]} if receipt.dry_run else {})

"""The keys under which Redis holds what was said, and the one that says what must not come back."""

from __future__ import annotations

from shared.models import ConversationId

RECENT = "stm:recent"  # a sorted set of conversations by last activity
WHOLE = "*"  # the field of `erased_key` for the whole conversation


def turns_key(conversation_id: ConversationId) -> str:
    return f"stm:{conversation_id}"


def reply_key(conversation_id: ConversationId, sequence: int) -> str:
    return f"reply:{conversation_id}:{sequence}"


def stop_key(conversation_id: ConversationId, sequence: int) -> str:
    return f"stop:{conversation_id}:{sequence}"


def erased_key(conversation_id: ConversationId) -> str:
    """A hash: by sequence number, or `WHOLE`, the fencing token up to which all was deleted.

    Who writes what was said looks at it in the same step.
    """
    return f"erased:{conversation_id}"

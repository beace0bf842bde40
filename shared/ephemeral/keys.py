"""Redis keys of turns, replies and tombstones."""

from __future__ import annotations

from shared.models import ConversationId

RECENT = "stm:recent"  # a sorted set of conversations by last activity
PROBE = "stm:probe"  # is written to see whether Redis takes it
WHOLE = "*"  # the field of `erased_key` for the whole conversation


def turns_key(conversation_id: ConversationId) -> str:
    return f"stm:{conversation_id}"


def reply_key(conversation_id: ConversationId, sequence: int) -> str:
    return f"reply:{conversation_id}:{sequence}"


def stop_key(conversation_id: ConversationId, sequence: int) -> str:
    return f"stop:{conversation_id}:{sequence}"


def erased_key(conversation_id: ConversationId) -> str:
    """A tombstone: a hash from sequence number, or `WHOLE`, to the last deleted fencing token.

    Scripts that write turns or replies check it in the same atomic step.
    """
    return f"erased:{conversation_id}"

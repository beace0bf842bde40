"""Recall: gather what one prompt is given. Read by a round; writes nothing but refilled turns."""

from __future__ import annotations

from shared.db import Database
from shared.models import Conversation, ConversationId, Message, Span, Summary, Turn
from shared.policy import window
from shared.policy.prompt import Recalled
from shared.short_term import ShortTermMemory, hold_span
from shared.store import memory, messages

# More than any token budget holds; bounds the read when jobs have been failing for long.
MAX_GAP_TURNS = 400


def recall(
    database: Database,
    short_term: ShortTermMemory,
    conversation: Conversation,
    current_sequence: int,
) -> Recalled:
    """The newest summary, and verbatim what came after it and before `current_sequence`."""
    summary = _newest_summary(database, conversation)
    gap = window.gap_span(summary.end_sequence if summary else None, current_sequence)
    return Recalled(
        memory_id=summary.memory_id if summary else None,
        points=summary.points if summary else (),
        gap=gap_turns(database, short_term, conversation.conversation_id, gap) if gap else (),
    )


def gap_turns(
    database: Database, short_term: ShortTermMemory, conversation_id: ConversationId, gap: Span
) -> list[Turn]:
    """From Redis when it holds the span without a hole, else from Postgres (and refilled)."""
    held = hold_span(short_term.list_turns(conversation_id), gap.start, gap.end)
    if held is not None:
        return held
    with database.transaction() as connection:
        found = messages.list_messages(connection, conversation_id, gap, MAX_GAP_TURNS)
    turns = [turn_of(message) for message in found]
    short_term.append_turns(conversation_id, turns)
    return turns


def turn_of(message: Message) -> Turn:
    return Turn(
        role=message.role,
        content=message.content,
        ts=message.created_at.timestamp(),
        seq=message.sequence_number,
    )


def _newest_summary(database: Database, conversation: Conversation) -> Summary | None:
    if conversation.mode != "active":
        return None
    with database.transaction() as connection:
        return memory.find_newest_summary(connection, conversation.conversation_id)

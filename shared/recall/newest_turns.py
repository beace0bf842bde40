"""The newest turns of a conversation: from Redis as far as it holds them, then from Postgres."""

from __future__ import annotations

from collections.abc import Iterator

from shared.models import ConversationId, Message, Span, Turn
from shared.services import Services
from shared.store import messages

FIRST_PAGE = 40  # messages read from Postgres at once; each further page is twice as long


def newest_turns(
    services: Services, conversation_id: ConversationId, before: int, gap_start: int
) -> Iterator[Turn]:
    """Turns with a sequence number below `before`, newest first, read as they are asked for.

    When Redis has lost the newest turns, it is given those from `gap_start` on again; what came
    before may have been flushed on purpose.
    """
    held = _held_up_to(services.short_term.list_turns(conversation_id), before - 1)
    yield from reversed(held)
    reached, page = (held[0].seq if held else before), FIRST_PAGE
    while reached > 0:
        span = Span(start=max(0, reached - page), end=reached - 1)
        turns = _read(services, conversation_id, span)
        if reached == before:
            refill = [turn for turn in turns if turn.seq >= gap_start]
            services.short_term.append_turns(conversation_id, refill)
        yield from reversed(turns)
        reached, page = span.start, page * 2


def turn_of(message: Message) -> Turn:
    return Turn(
        role=message.role,
        content=message.content,
        ts=message.created_at.timestamp(),
        seq=message.sequence_number,
        token=message.fencing_token or 0,
    )


def _held_up_to(turns: list[Turn], newest: int) -> list[Turn]:
    """The end of the list, back to its first hole; nothing when it does not end at `newest`."""
    held: list[Turn] = []
    for turn in reversed(turns):
        if turn.seq > newest:
            continue
        if turn.seq != newest - len(held):
            break
        held.append(turn)
    return held[::-1]


def _read(services: Services, conversation_id: ConversationId, span: Span) -> list[Turn]:
    with services.database.transaction() as connection:
        found = messages.list_messages(connection, conversation_id, span)
    return [turn_of(message) for message in found]

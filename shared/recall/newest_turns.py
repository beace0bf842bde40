"""The newest turns of a conversation: from Redis first, then older turns from Postgres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.models import ConversationId, Message, Span, Turn, UserId
from shared.services import Services
from shared.store import messages

FIRST_PAGE = 40  # messages in the first read from Postgres; each next read is twice as long


def newest_turns(
    services: Services,
    user_id: UserId,
    conversation_id: ConversationId,
    before: int,
    gap_start: int,
) -> Iterator[Turn]:
    """Turns with a sequence number below `before`, newest first, read only when needed.

    If Redis has lost the newest turns, turns from `gap_start` on are written back. Older turns may
    be missing in Redis on purpose.
    """
    cached = _unbroken(services.short_term.list_turns(conversation_id), before - 1)
    yield from reversed(cached)
    reached, page = (cached[0].seq if cached else before), FIRST_PAGE
    while reached > 0:
        span = Span(start=max(0, reached - page), end=reached - 1)
        with services.database.transaction(user=user_id) as connection:
            turns = messages.list_turns(connection, conversation_id, span)
        if reached == before:
            lost = [turn for turn in reversed(turns) if turn.seq >= gap_start]
            services.short_term.append_turns(conversation_id, lost)
        yield from turns
        reached, page = span.start, page * 2


def turn_of(message: Message) -> Turn:
    return Turn(
        role=message.role,
        content=message.content,
        ts=message.created_at.timestamp(),
        seq=message.sequence_number,
        token=message.fencing_token or 0,
    )


def _unbroken(turns: Sequence[Turn], newest: int) -> list[Turn]:
    """The newest turns without a missing number, up to `newest`. Empty: `newest` is missing."""
    tail: list[Turn] = []
    for turn in reversed(turns):
        if turn.seq > newest:
            continue
        if turn.seq != newest - len(tail):
            break
        tail.append(turn)
    return tail[::-1]

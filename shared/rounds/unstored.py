"""Rounds that are not stored: requests that keep memory off, and tasks of a client's own."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from shared.agents import DEFAULT_AGENT
from shared.errors import ThroughlineError
from shared.guard import note_failure
from shared.models import Conversation, ConversationId, Message, OpenRound, Outcome, UserId
from shared.models.clients import ClientPrompt
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.policy.budget import Room
from shared.policy.recalled import Recalled
from shared.services import Services
from shared.store import quotas
from shared.timing import Steps


class NoLog:
    """Replaces the log in Redis: nobody else can follow a reply that is not stored."""

    def __init__(self) -> None:
        self.char_count = 0

    def catch_up(self, text: str) -> bool:
        self.char_count = len(text)
        return False

    def stop_asked(self) -> bool:
        return False


def unstored_round(
    user_id: UserId, prompt: ClientPrompt, memory: MemoryScope = SHARED_MEMORY
) -> OpenRound:
    """Make a round in a conversation that is not stored. The conversation's id is random."""
    conversation_id, now = ConversationId(str(uuid.uuid4())), datetime.now(UTC)
    return OpenRound(
        conversation=Conversation(
            conversation_id=conversation_id,
            user_id=user_id,
            title=None,
            agent=DEFAULT_AGENT,
            mode="active",
            last_sequence=-1,
            created_at=now,
            updated_at=now,
            chat_id=conversation_id,
        ),
        user_message=Message(
            conversation_id=conversation_id,
            sequence_number=0,
            role="user",
            content=prompt.question,
            status="complete",
            model=None,
            created_at=now,
            error=None,
        ),
        sequence=1,
        fencing_token=0,
        client=prompt,
        memory=memory,
        is_stored=False,
    )


def count_unstored_tokens(services: Services, chat_round: OpenRound, outcome: Outcome) -> None:
    """Count the reply's tokens for its user's quota. Without the database they are not counted."""
    tokens = outcome.tokens_in + outcome.tokens_out
    if not tokens:
        return
    user_id = chat_round.conversation.user_id
    try:
        with services.database.transaction(user=user_id) as connection:
            quotas.count_tokens(connection, user_id, tokens)
    except ThroughlineError as exc:
        note_failure("usage", exc)


def recall_nothing(chat_round: OpenRound, steps: Steps, room: Room) -> Recalled:
    """Recall nothing. It replaces `recall` for a client that wants no memory."""
    return Recalled()

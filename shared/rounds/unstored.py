"""Rounds that are not stored: requests that keep memory off, and tasks of a client's own."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from shared.agents import DEFAULT_AGENT
from shared.errors import ThroughlineError
from shared.guard import note_failure
from shared.models import Conversation, ConversationId, Message, OpenRound, Outcome, UserId
from shared.models.clients import ClientPrompt
from shared.policy.budget import Room
from shared.policy.recalled import Recalled
from shared.services import Services
from shared.store import quotas
from shared.timing import Steps


class NoLog:
    """In place of the log in Redis: nobody else can follow such a reply."""

    def __init__(self) -> None:
        self.written = 0

    def catch_up(self, text: str) -> bool:
        self.written = len(text)
        return False

    def stop_asked(self) -> bool:
        return False


def unstored_round(user_id: UserId, prompt: ClientPrompt) -> OpenRound:
    """A round of a conversation that exists nowhere. Its id is random."""
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
        is_stored=False,
    )


def count_unstored_tokens(services: Services, chat_round: OpenRound, outcome: Outcome) -> None:
    """Count what the reply took of its user's quota. A database that is away costs the count."""
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
    """In place of a recall, where a client wants none."""
    return Recalled()

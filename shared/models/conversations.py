"""What is said: conversations, messages, turns, rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from shared.models.ids import ConversationId, FinishReason, MessageStatus, Mode, Role, UserId

#: The replies from which memory is made. A failed one is likely to be tried again.
REMEMBERED: tuple[MessageStatus, ...] = ("complete", "partial")


@dataclass(frozen=True, kw_only=True)
class Span:
    """Messages from `start` to `end`, both included."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Conversation:
    conversation_id: ConversationId
    user_id: UserId
    title: str | None
    agent: str
    mode: Mode
    last_sequence: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class ReplyAttempt:
    """One attempt at writing a reply. A later attempt has a higher fencing token."""

    conversation_id: ConversationId
    sequence: int
    fencing_token: int


@dataclass(frozen=True, kw_only=True)
class Message:
    conversation_id: ConversationId
    sequence_number: int
    role: Role
    content: str
    status: MessageStatus
    model: str | None
    created_at: datetime
    error: str | None
    fencing_token: int | None = None
    trace: dict[str, object] | None = None
    finish_reason: FinishReason | None = None
    deleted_at: datetime | None = None  # then nothing of what it said is left

    @property
    def attempt(self) -> ReplyAttempt:
        """Of a reply: the attempt that wrote it, or is writing it."""
        return ReplyAttempt(self.conversation_id, self.sequence_number, self.fencing_token or 0)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A message as it stands in short-term memory. `ts` is in seconds since 1970.

    `token` is the fencing token of the try that wrote a reply, 0 of all else.
    """

    role: Role
    content: str
    ts: float
    seq: int
    token: int = 0


@dataclass(frozen=True, kw_only=True)
class OpenRound:
    """A round whose user message and `streaming` placeholder are committed.

    `kept` is the reply as it was closed before, when its writing goes on. `time_zone` is the
    user's, by its IANA name, if it is known.
    """

    conversation: Conversation
    user_message: Message
    sequence: int
    fencing_token: int
    time_zone: str | None = None
    kept: Message | None = None

    @property
    def attempt(self) -> ReplyAttempt:
        return ReplyAttempt(self.conversation.conversation_id, self.sequence, self.fencing_token)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a round ended: what closes the placeholder."""

    status: MessageStatus
    content: str
    finish_reason: FinishReason | None = None
    model: str | None = None
    provider: str | None = None
    error: str | None = None
    error_code: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    trace: dict[str, object] = field(default_factory=dict)

"""Conversations, messages and rounds. A round is a user message and the reply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.models.clients import ClientPrompt
from shared.models.ids import ConversationId, FinishReason, MessageStatus, Mode, Role, UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope

#: Memory is made from replies with these statuses. A failed reply may be written again.
REMEMBERED: tuple[MessageStatus, ...] = ("complete", "partial")


@dataclass(frozen=True, kw_only=True)
class Span:
    """Messages from `start` to `end`, both included."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A row of `conversations`."""

    conversation_id: ConversationId
    user_id: UserId
    #: None: neither the user nor a job has given one.
    title: str | None
    #: The name of its agent.
    agent: str
    mode: Mode
    #: The sequence number of the last reply that was closed. -1: there is none.
    last_sequence: int
    created_at: datetime
    #: When its last reply was closed.
    updated_at: datetime
    #: The chat, which it may share with branches: the id of the first of them.
    chat_id: ConversationId
    #: The conversation that it shares its beginning with. None: it is no branch.
    branched_from: ConversationId | None = None
    #: The first message that is not shared.
    branched_at: int | None = None
    #: It stands before all others in the list.
    is_pinned: bool = False
    #: It is not in the list. All else is as before: it is found, recalled and answered.
    is_archived: bool = False
    #: The model that its user has chosen. None: the site's default. It may be offered no more.
    model: str | None = None
    #: The user's own assistant, which answers in place of the agent. None: none, or it is deleted.
    persona_id: int | None = None
    #: The name of the user's project that it is in. None: it is in none.
    project: str | None = None


@dataclass(frozen=True, kw_only=True)
class NewConversation:
    """What is chosen when a conversation begins. Fields as in `Conversation`."""

    user_id: UserId
    agent: str
    mode: Mode
    model: str | None = None
    persona_id: int | None = None
    project: str | None = None


@dataclass(frozen=True, kw_only=True)
class Branch:
    """One conversation of a family: those that share a beginning."""

    conversation_id: ConversationId
    branched_from: ConversationId | None
    #: The first message that is its own. 0: it branched from none.
    branched_at: int


@dataclass(frozen=True, kw_only=True)
class Fork:
    """A user message at which conversations part."""

    sequence: int
    #: Those that have different messages here, the original first.
    branches: tuple[ConversationId, ...]
    #: The place of the shown conversation among them.
    current: int


@dataclass(frozen=True)
class ReplyAttempt:
    """One attempt at writing a reply. A later attempt has a higher fencing token."""

    conversation_id: ConversationId
    sequence: int
    fencing_token: int


@dataclass(frozen=True, kw_only=True)
class Message:
    """A row of `messages`: one utterance."""

    conversation_id: ConversationId
    #: From 0, without holes. User messages are even, replies odd.
    sequence_number: int
    role: Role
    #: Empty in a reply that has no text yet or at all, and in a deleted message.
    content: str
    status: MessageStatus
    #: The model that wrote a reply. None: a user message, or no model answered.
    model: str | None
    #: When the message was written; for a reply, when it was begun.
    created_at: datetime
    #: Why a reply failed or broke off.
    error: str | None
    #: The token of the last attempt at a reply. None: a user message, or imported.
    fencing_token: int | None = None
    #: What a reply's prompt contained: ids, scores and durations. And what the model thought.
    trace: dict[str, object] | None = None
    #: None: not a reply, still being written, or not known of an import.
    finish_reason: FinishReason | None = None
    #: When the message was deleted. Nothing of its text is left.
    deleted_at: datetime | None = None
    #: When the user asked not to remember it. It is neither recalled nor found elsewhere.
    withheld_at: datetime | None = None
    #: Which variant of a reply this is, from 1. The others are in `reply_variants`.
    variant: int = 1
    #: What the user thinks of a reply: 1 is good, -1 is bad.
    rating: int | None = None

    @property
    def attempt(self) -> ReplyAttempt:
        """The attempt that wrote this reply or is writing it."""
        return ReplyAttempt(self.conversation_id, self.sequence_number, self.fencing_token or 0)


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of the replies to the same message. The chosen one is the message itself."""

    #: From 1, in the order in which they were written.
    number: int
    content: str
    status: MessageStatus
    finish_reason: FinishReason | None
    model: str | None
    error: str | None
    #: 1 is good, -1 is bad.
    rating: int | None
    created_at: datetime
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A message as it stands in short-term memory: Redis keeps it as JSON, under these names."""

    role: Role
    content: str
    #: When it was written, in seconds since 1970.
    ts: float
    #: The sequence number.
    seq: int
    #: The fencing token of the attempt that wrote a reply. 0: a user message.
    token: int = 0


@dataclass(frozen=True, kw_only=True)
class OpenRound:
    """A round whose user message and `streaming` placeholder are committed."""

    conversation: Conversation
    user_message: Message
    #: The sequence number of the reply.
    sequence: int
    fencing_token: int
    #: The IANA name of the user's time zone. None: not known.
    time_zone: str | None = None
    #: The reply as it was closed before. None: it is not continued.
    former_reply: Message | None = None
    #: The request of a client of OpenAI's protocol. None: the message came another way.
    client: ClientPrompt | None = None
    #: The system prompt of a persona, in place of the agent's.
    instructions: str | None = None
    #: They stand behind the persona's or the agent's. Empty: there are none.
    project_instructions: str = ""
    #: What its reply may know.
    memory: MemoryScope = SHARED_MEMORY
    #: False: nothing of it is in the database.
    is_stored: bool = True
    #: False: its user has no files, so none is looked for.
    may_have_files: bool = True

    @property
    def question(self) -> str:
        """What is asked, for recall."""
        return self.client.question if self.client else self.user_message.content

    @property
    def repeats_from(self) -> int:
        """The first stored message that the prompt contains anyway: the new one, or earlier."""
        first = self.client.repeats_from if self.client else None
        return self.user_message.sequence_number if first is None else first

    @property
    def attempt(self) -> ReplyAttempt:
        return ReplyAttempt(self.conversation.conversation_id, self.sequence, self.fencing_token)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a round ended: the values for the placeholder of its reply."""

    status: MessageStatus
    #: The text of the reply, perhaps incomplete.
    content: str
    finish_reason: FinishReason | None = None
    #: None: no model answered.
    model: str | None = None
    #: One sentence for the user.
    error: str | None = None
    #: A code for clients: `ThroughlineError.code`.
    error_code: str | None = None
    #: 0: the provider did not tell, for example because the reply was stopped.
    tokens_in: int = 0
    tokens_out: int = 0
    #: The part of `tokens_in` that the provider took from its cache.
    tokens_cached: int = 0
    trace: dict[str, object] = field(default_factory=dict)
    #: Fields of the model's message beside its text, in OpenAI's form: tools' calls, reasoning.
    extras: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_refusal(self) -> bool:
        return bool(self.content) and self.extras.get("refusal") == self.content

    @property
    def message(self) -> dict[str, Any]:
        """The model's message in OpenAI's form. A refusal is no content there."""
        content = None if self.is_refusal else self.content or None
        return {"role": "assistant", "content": content, **self.extras}

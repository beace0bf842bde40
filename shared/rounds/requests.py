"""The requests of a user: a new round, or the newest round again. Each kind has a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from shared.agents import DEFAULT_AGENT
from shared.models import ConversationId, Mode, UserId
from shared.models.clients import ClientPrompt


@dataclass(frozen=True, kw_only=True)
class NewMessage:
    """A message to reply to."""

    user_id: UserId
    text: str
    #: None: a new conversation with this agent and mode begins.
    conversation_id: ConversationId | None
    agent: str = DEFAULT_AGENT
    mode: Mode = "active"
    #: The files that it takes: those that the user has uploaded and not sent yet.
    attachments: tuple[str, ...] = ()
    #: From now on this model answers in the conversation. None: as before.
    model: str | None = None
    #: Of a conversation that begins: the user's own assistant, which answers in it.
    persona_id: int | None = None
    #: Of a conversation that begins: the name of its project.
    project: str | None = None
    idempotency_key: str | None = None
    #: A valid IANA name. None: the stored time zone stays.
    time_zone: str | None = None


@dataclass(frozen=True, kw_only=True)
class Rewording:
    """A request to replace the text of the newest user message."""

    user_id: UserId
    conversation_id: ConversationId
    #: Of the user message.
    sequence: int
    text: str
    idempotency_key: str | None = None
    time_zone: str | None = None


@dataclass(frozen=True, kw_only=True)
class BranchRequest:
    """A request to send a user message in other words, in a branch of the conversation."""

    user_id: UserId
    conversation_id: ConversationId
    #: Of the user message.
    sequence: int
    text: str
    idempotency_key: str | None = None
    time_zone: str | None = None


@dataclass(frozen=True, kw_only=True)
class Retry:
    """A request to write the newest reply again."""

    user_id: UserId
    conversation_id: ConversationId
    #: Of the reply.
    sequence: int


@dataclass(frozen=True, kw_only=True)
class Continuation:
    """A request to go on with the newest reply, which was cut off."""

    user_id: UserId
    conversation_id: ConversationId
    #: Of the reply.
    sequence: int


@dataclass(frozen=True, kw_only=True)
class ClientRequest:
    """A request in OpenAI's form. It repeats what was said before, or names the conversation."""

    user_id: UserId
    prompt: ClientPrompt
    #: None: the conversation is recognised by the messages.
    conversation_id: ConversationId | None = None
    #: The client's own id of the conversation.
    client_key: str | None = None
    #: The name of the project that the conversation is in, or begins in. None: it begins in none.
    project: str | None = None
    idempotency_key: str | None = None
    #: The client says that it has sent the same request before and got no answer.
    is_resent: bool = False
    time_zone: str | None = None


RoundRequest: TypeAlias = (
    NewMessage | Rewording | BranchRequest | Retry | Continuation | ClientRequest
)

"""What a client of OpenAI's protocol sends, beside the words that memory reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.models.ids import ConversationId

#: A message in OpenAI's form: role, content, tool calls and whatever else the client put there.
ClientMessage = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ClientPrompt:
    """A request that goes to the model as the client wrote it; memory is added to it."""

    model: str
    messages: tuple[ClientMessage, ...]
    #: The request's other fields for the model: tools, temperature, unknown ones.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: What the user asked, for recall. A result of a tool is no question.
    question: str = ""
    #: The first stored message that `messages` repeat. None: they repeat none.
    repeats_from: int | None = None


@dataclass(frozen=True, kw_only=True)
class ClientTurn:
    """A row of `client_turns`: one stored message, as the client sent or got it."""

    sequence_number: int
    digest: str
    #: Of a user message: the hash of all that the client had said, up to here.
    chain: str | None = None
    #: JSON in OpenAI's form. None: the text says everything.
    payload: Any = None


@dataclass(frozen=True, kw_only=True)
class StoredRound:
    """A user message and its reply, as they are compared with what a client repeats."""

    #: Of the user message.
    sequence: int
    question: str
    reply: str
    #: None: the round did not come through OpenAI's protocol.
    digest: str | None
    chain: str | None
    #: The ids of the tools' calls in the reply.
    calls: frozenset[str]
    is_open: bool

    @property
    def is_empty(self) -> bool:
        """The reply failed without a word, or is still being written."""
        return not self.reply and not self.calls


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """Consecutive rounds of one conversation, oldest first."""

    conversation_id: ConversationId
    rounds: Sequence[StoredRound]
    #: The last of `rounds` is the conversation's newest one.
    reaches_end: bool = True

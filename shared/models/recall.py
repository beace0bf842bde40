"""Values of retrieval: the query, the messages that it scores, and its results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from shared.models.conversations import Span
from shared.models.ids import ConversationId, Role, UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.models.vectors import Encoded


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question of one user to their memory, made by a round, a search or a benchmark."""

    user_id: UserId
    #: The text as the user typed it; after typing correction, with corrected words.
    text: str
    #: The time of the question, in the user's time zone: "yesterday" is the day before.
    asked_at: datetime
    #: Name of the embedding model. Vectors of other models are not compared.
    model: str | None = None
    #: The vectors of the question. None: search only by words.
    encoded: Encoded | None = None
    #: Find only messages up to this time. None: all messages.
    as_of: datetime | None = None
    #: The text is stored as one of the user's messages. The search leaves this message out.
    is_message: bool = False
    #: What may be recalled for it.
    memory: MemoryScope = SHARED_MEMORY

    def with_text(self, text: str) -> Query:
        return replace(self, text=text)

    def with_vectors(self, encoded: Encoded | None) -> Query:
        return replace(self, encoded=encoded)


@dataclass(frozen=True, kw_only=True)
class SearchFilter:
    """The limits of a search. The time up to which it finds is the query's `as_of`."""

    since: datetime | None = None
    role: Role | None = None
    #: The branches of one chat, the open one first. None: all chats.
    conversation_ids: list[ConversationId] | None = None

    @property
    def is_of_messages(self) -> bool:
        """Only messages have a role, and only they belong to one chat's text."""
        return self.role is not None or self.conversation_ids is not None

    def contains(self, conversation_id: ConversationId) -> bool:
        return self.conversation_ids is None or conversation_id in self.conversation_ids


class MessageKey(NamedTuple):
    """The primary key of a message. Hundreds are made and compared for one query."""

    conversation_id: ConversationId
    sequence_number: int


@dataclass(frozen=True, kw_only=True)
class Shortlist:
    """The messages that are worth scoring, and the messages around them."""

    #: Best first.
    candidates: Sequence[MessageKey]
    #: Every candidate with its neighbours. No message is in two windows.
    windows: Sequence[tuple[ConversationId, Span]]


class Passage(NamedTuple):
    """A message as retrieval scores it, without its text. Hundreds are made for one query.

    A passage of a file is scored as a message of a conversation that is the file: the first two
    fields are the file's id and the passage's number.
    """

    conversation_id: ConversationId
    sequence_number: int
    role: Role | Literal["file"]
    #: The name under which an imported message was said.
    name: str | None
    said_at: datetime
    #: Cosine similarity to the query, -1 to 1. None: the message or the query has no vector.
    similarity: float | None
    #: The words of the query that the message contains, as lexemes.
    matched: Collection[str]
    #: How many different lexemes the message has.
    length: int
    #: The message ends with a question mark.
    is_question: bool
    #: The user says what holds for good: "Always …", "I prefer …".
    is_standing: bool
    #: The query asks for a time or a number, and the message contains one.
    has_number: bool
    #: The stored signs of its token vectors. Only candidates have them; otherwise None.
    token_signs: bytes | memoryview | None


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """A name under which messages were said."""

    name: str
    role: Role


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A message of an earlier conversation, as the prompt shows it."""

    conversation_id: ConversationId
    sequence_number: int
    role: Role
    name: str | None
    said_at: datetime
    text: str
    #: The score by which it is ranked. Only scores of one query can be compared.
    score: float
    #: Where `text` begins in the message, if that is long.
    start: int = 0


@dataclass(frozen=True, kw_only=True)
class FoundEpisode:
    """An episode that was found, without its text."""

    episode_id: int
    conversation_id: ConversationId
    span: Span
    #: How well it matches. Only scores of one list can be compared.
    score: float

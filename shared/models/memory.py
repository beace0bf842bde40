"""Values derived from messages: summaries, episodes, facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from shared.models.conversations import Span
from shared.models.ids import Category, ConversationId, JobStatus, Tidied


@dataclass(frozen=True, kw_only=True)
class Point:
    """One statement of a rolling summary."""

    text: str
    #: The sequence number of the first message that the point comes from.
    first: int
    #: The sequence number of the last message that the point comes from.
    last: int


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A row of `memory`: a rolling summary, or the job that makes it."""

    memory_id: int
    conversation_id: ConversationId
    #: The first message of the window, included.
    start_sequence: int
    #: The last message of the window, included.
    end_sequence: int
    #: The summary that this one continues. None: it is the first, or its base was deleted.
    base_memory_id: int | None
    status: JobStatus
    #: The points as one text. None: not completed.
    memory_text: str | None
    points: tuple[Point, ...]
    #: How long it took to make, in milliseconds. None: not completed.
    generation_time_ms: int | None
    #: How often the job was begun.
    attempts: int
    #: The error of the last failed attempt. None: the job completed.
    error: str | None
    created_at: datetime
    finished_at: datetime | None
    #: The stand-in made it from what the model could not read or answer.
    is_fallback: bool = False


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """Where a conversation's last prompt began. It moves seldom, so that prompts begin alike."""

    #: The first turn of that prompt. None: there was none.
    start: int | None = None
    #: The summary that covers what lies before `start`: the first completed one that does.
    summary: Summary | None = None
    #: The completed summary that reaches furthest.
    newest: Summary | None = None
    #: The episodes in that prompt's front. None: there was no prompt.
    episode_ids: Sequence[int] | None = None

    def list_standing(self, start: int) -> Sequence[int] | None:
        """The episodes of the front of a prompt that begins at turn `start`. None: it is new."""
        return self.episode_ids if start == (self.start or 0) else None


@dataclass(frozen=True, kw_only=True)
class Episode:
    """A closed span of messages, summed up."""

    episode_id: int
    conversation_id: ConversationId
    span: Span
    summary: str
    key_concepts: tuple[str, ...]
    #: When its first message was said.
    started_at: datetime
    #: When its last message was said.
    ended_at: datetime
    #: None: it has no vector yet.
    embedding_model: str | None
    #: When its job was claimed.
    created_at: datetime
    #: The stand-in made it from what the model could not read or answer.
    is_fallback: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One version of a fact about the user. A slot is a category and a key in one memory."""

    fact_id: int
    category: Category
    #: In snake_case: "favourite_colour".
    key: str
    value: str
    #: How sure it is that the user said so, 0 to 1.
    confidence: float
    #: How much it matters in any conversation, 0 to 1.
    importance: float
    #: Whether this is the current version of the slot. A slot has at most one.
    is_active: bool
    #: The conversation in which it was said. None: stated by hand, or the conversation is deleted.
    source_conversation_id: ConversationId | None
    #: The message in which it was said. None: stated by hand.
    source_sequence: int | None
    #: The number of the message that last stated it, among all messages of the user.
    confirmed_at_turn: int
    #: When it was said.
    valid_from: datetime
    #: Until when it was true, not included. None: it is active.
    valid_to: datetime | None
    #: The id of the version that replaced it.
    superseded_by: int | None
    #: When it was last confirmed. None: not since `valid_from`.
    confirmed_at: datetime | None = None
    #: How a tidying ended it. It stays when the user undoes that, so that it is not done again.
    tidied: Tidied | None = None
    #: The key that it had before a tidying joined it with the fact of this slot.
    former_key: str | None = None
    #: The last day on which it was said to hold, by the user's clock. None: no day was named.
    valid_until: date | None = None
    #: The project in whose own memory it is. None: it is in the shared one.
    project: str | None = None
    #: The values that it replaced, one after the other, where they were read.
    former_values: tuple[str, ...] = field(default=(), compare=False)

    def holds_on(self, day: date) -> bool:
        """Whether the fact still holds on a day. A last day that the user undid does not count."""
        return self.valid_until is None or day <= self.valid_until or self.tidied is not None


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A fact that a message taught."""

    fact: Fact
    #: The value that it replaced. None: it replaced nothing.
    replaced: str | None


@dataclass(frozen=True, kw_only=True)
class Withheld:
    """A user's wish not to remember its own message, or to forget what other messages say."""

    #: Of the message that asks.
    sequence: int
    asked_at: datetime
    #: Messages of other rounds that are withheld for it.
    other_count: int


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A user message, with the fields that an extraction of facts reads."""

    sequence_number: int
    role: Literal["user"]
    content: str
    created_at: datetime
    #: Its number among all messages of the user, from 1.
    turn: int
    #: The message was imported, so somebody else may have written it.
    is_imported: bool = False
    #: It does not ask to forget or not to remember anything, or the user has undone that.
    has_no_wish: bool = False
    #: A model gave no usable answer about it before.
    is_read_again: bool = False


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A fact that the user may have stated. Its form is checked."""

    category: Category
    key: str
    value: str
    #: How sure it is that the user said so, 0 to 1.
    confidence: float
    #: How much it matters in any conversation, 0 to 1.
    importance: float
    #: The user said that this is no longer true.
    retracts: bool
    #: When its message was written, not when the job runs.
    said_at: datetime
    #: The number of its message among all messages of the user, from 1.
    turn: int
    #: None: the user stated it by hand.
    source_conversation_id: ConversationId | None
    source_sequence: int | None
    #: The last day on which it holds, by the user's clock. None: no day was named.
    valid_until: date | None = None


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """The mark that a deleted fact leaves, so that it is not learned again. It has no text."""

    category: Category
    key: str
    #: A hash of user and value.
    fingerprint: str
    #: From messages up to and including this time nothing is learned for this slot.
    said_until: datetime
    #: From messages up to and including this time the value is not learned in this category.
    forgotten_at: datetime


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A fact that waits for the user to confirm or dismiss it. Prompts do not contain it."""

    suggestion_id: int
    category: Category
    key: str
    value: str
    #: How sure it is that the user said so, 0 to 1.
    confidence: float
    #: How much it matters in any conversation, 0 to 1.
    importance: float
    source_conversation_id: ConversationId
    source_sequence: int
    said_at: datetime
    #: The last day on which it was said to hold, by the user's clock. None: no day was named.
    valid_until: date | None
    #: As for a fact.
    project: str | None = None

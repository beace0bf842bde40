"""What is derived from messages: summaries, facts, episodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models.conversations import Span
from shared.models.ids import Category, ConversationId, JobStatus


@dataclass(frozen=True, kw_only=True)
class Point:
    """One thing that a rolling summary says, and the messages it comes from."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A row of `memory`. `is_fallback`: the stand-in's extract of what the model could not take."""

    memory_id: int
    conversation_id: ConversationId
    start_sequence: int
    end_sequence: int
    base_memory_id: int | None
    status: JobStatus
    memory_text: str | None
    points: tuple[Point, ...]
    generation_time_ms: int | None
    attempts: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None
    is_fallback: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A version of what is held true about the user under one category and key."""

    fact_id: int
    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    is_active: bool
    source_conversation_id: ConversationId | None
    source_sequence: int | None
    confirmed_at_turn: int
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: int | None
    confirmed_at: datetime | None = None  # None: not stated again since `valid_from`


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A user message as an extraction reads it. `turn`: which of its user's messages it is.

    `is_imported`: it came in a file; somebody else may have written it.
    """

    sequence_number: int
    role: Literal["user"]
    content: str
    created_at: datetime
    turn: int
    is_imported: bool = False


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What the user may have said of themself, checked. `retracts`: it no longer holds.

    `said_at` and `turn` are its message's own, whenever the job runs.
    """

    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    retracts: bool
    said_at: datetime
    turn: int
    source_conversation_id: ConversationId | None
    source_sequence: int | None


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """The mark that a deleted fact leaves. It holds no text of the value.

    What was said of the slot up to `said_until`, and this very value up to `forgotten_at`, is
    not learned again.
    """

    category: Category
    key: str
    fingerprint: str
    said_until: datetime
    forgotten_at: datetime


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """What may be true of the user, and counts for nothing until they confirm it."""

    suggestion_id: int
    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    source_conversation_id: ConversationId
    source_sequence: int
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class Episode:
    """A closed span of messages, summed up. `is_fallback` as with a summary."""

    episode_id: int
    conversation_id: ConversationId
    span: Span
    summary: str
    key_concepts: tuple[str, ...]
    started_at: datetime
    ended_at: datetime
    embedding_model: str | None
    created_at: datetime
    is_fallback: bool = False

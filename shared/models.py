"""The nouns, as frozen values. Rows become these at the store's edge."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, NewType

UserId = NewType("UserId", str)
ConversationId = NewType("ConversationId", str)

Role = Literal["user", "assistant"]
Mode = Literal["active", "passive", "off"]
MessageStatus = Literal["streaming", "complete", "partial", "failed"]
JobStatus = Literal["processing", "completed", "failed"]
JobState = Literal["queued", "running", "completed", "failed"]
Kind = Literal["summary", "episode", "facts", "title"]
Urgency = Literal["lost", "live", "backlog"]


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


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A message as it stands in short-term memory. `ts` is in seconds since 1970."""

    role: Role
    content: str
    ts: float
    seq: int


@dataclass(frozen=True, kw_only=True)
class Point:
    """One thing that a rolling summary says, and the messages it comes from."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A row of `memory`."""

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


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A job that this process may work on until its lease is over."""

    job_id: int
    conversation_id: ConversationId
    span: Span
    fencing_token: int
    attempts: int
    in_backlog: bool


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job as people see it."""

    kind: Kind
    job_id: int
    conversation_id: ConversationId
    state: JobState
    span: Span
    attempts: int
    error: str | None
    created_at: datetime
    begun_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Due:
    """A job that was claimed in a transaction and is to be sent once that has committed.

    `urgency` is `live` for what was said just now, `backlog` for what was imported or left
    behind, and `lost` for a live job whose worker is gone.
    """

    kind: Kind
    job_id: int
    urgency: Urgency = "live"


@dataclass(frozen=True, kw_only=True)
class OpenRound:
    """A round whose user message and `streaming` placeholder are committed."""

    conversation: Conversation
    user_message: Message
    sequence: int
    fencing_token: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a round ended: what closes the placeholder."""

    status: MessageStatus
    content: str
    model: str | None = None
    provider: str | None = None
    error: str | None = None
    error_code: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    trace: dict[str, object] = field(default_factory=dict)


Category = Literal["identity", "preference", "constraint", "instruction"]


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
    """A user message as an extraction reads it. `turn`: which of its user's messages it is."""

    sequence_number: int
    role: Literal["user"]
    content: str
    created_at: datetime
    turn: int


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
class Episode:
    """A closed span of messages, summed up."""

    episode_id: int
    conversation_id: ConversationId
    span: Span
    summary: str
    key_concepts: tuple[str, ...]
    started_at: datetime
    ended_at: datetime
    embedding_model: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class FoundEpisode:
    """An episode and how well it fits; scores compare within one list only."""

    episode: Episode
    score: float


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """A name under which messages were said."""

    name: str
    role: Role


class Place(NamedTuple):
    """Where a message stands. Hundreds are made and compared for one question."""

    conversation_id: ConversationId
    sequence_number: int


class Passage(NamedTuple):
    """A message as recall weighs it, without its text. Hundreds are made for one question.

    `similarity` is the cosine to the question, None without a vector; `held` are those of the
    question's words that it holds, `length` counts its different words, `asks`: it ends in a
    question, `tells`: it holds what the question asks for, a time or a number; `token_signs` are
    its tokens' as they are stored, None when it is not compared that closely.
    """

    conversation_id: ConversationId
    sequence_number: int
    role: Role
    name: str | None
    said_at: datetime
    similarity: float | None
    held: Collection[str]
    length: int
    asks: bool
    tells: bool
    token_signs: bytes | memoryview | None


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A message of an earlier conversation, as the prompt tells it; `score` is its rank's."""

    conversation_id: ConversationId
    sequence_number: int
    role: Role
    name: str | None
    said_at: datetime
    text: str
    score: float

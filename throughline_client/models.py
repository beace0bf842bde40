"""What the API answers with. Fields that a newer server adds are kept as extra attributes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

Mode = Literal["active", "passive", "off"]
Role = Literal["user", "assistant"]
Rating = Literal["up", "down"]


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")


class Reply(Answer):
    """A whole reply. `status` is `complete` or `partial`; a failed one raises `ApiError`."""

    conversation_id: str
    sequence: int
    reply: str
    status: str
    finish_reason: str | None
    model: str | None
    provider: str | None


class Source(Answer):
    conversation_id: str
    sequence: int | None


class Fact(Answer):
    """One version. A correction makes another one, with another `fact_id`."""

    fact_id: int
    category: str
    key: str
    value: str
    confidence: float
    importance: float
    is_active: bool
    source: Source | None
    valid_from: datetime
    valid_to: datetime | None
    #: The last day on which it was said to hold.
    valid_until: date | None
    superseded_by: int | None


class Conversation(Answer):
    conversation_id: str
    #: The same for all branches of a chat: the id of the first.
    chat_id: str
    title: str | None
    agent: str
    mode: Mode
    last_sequence: int
    created_at: datetime
    updated_at: datetime
    #: A branch shares its beginning with this conversation, up to before `branched_at`.
    branched_from: str | None = None
    branched_at: int | None = None
    pinned: bool = False
    archived: bool = False


class ChangedConversation(Answer):
    """What its user may change, as it is after a change."""

    conversation_id: str
    title: str | None
    mode: Mode
    pinned: bool
    archived: bool


class Message(Answer):
    """`variants` are the numbers of all variants of a reply; this is number `variant`."""

    sequence_number: int
    role: Role
    content: str
    status: str
    finish_reason: str | None
    created_at: datetime
    error: str | None
    deleted: bool
    variant: int = 1
    variants: list[int] = [1]
    rating: Rating | None = None


class Variant(Answer):
    """One of the replies to the same message. Memory is made of the chosen one."""

    variant: int
    chosen: bool
    content: str
    status: str
    finish_reason: str | None
    model: str | None
    error: str | None
    rating: Rating | None
    created_at: datetime


class Episode(Answer):
    id: int
    conversation_id: str
    start: int
    end: int
    summary: str
    key_concepts: list[str]
    started_at: datetime
    ended_at: datetime


class FoundMessage(Answer):
    """`snippet` is a list of pieces, each with whether it was searched for."""

    conversation_id: str
    title: str | None
    sequence_number: int
    role: Role
    created_at: datetime
    match: Literal["exact", "related"]
    snippet: list[tuple[str, bool]]

    @property
    def text(self) -> str:
        return "".join(piece for piece, _ in self.snippet)


class FilePlace(Answer):
    """`name` is the number of a page or slide, or the name of a sheet."""

    kind: Literal["page", "slide", "sheet"]
    name: str


class FoundFile(Answer):
    """`snippet` is a list of pieces, each with whether it was searched for."""

    attachment_id: str
    name: str
    conversation_id: str
    title: str | None
    #: Of the message that has the file.
    sequence_number: int
    created_at: datetime
    match: Literal["exact", "related"]
    #: Where it stands in the file. None: the file has no places, or they are not known.
    place: FilePlace | None = None
    snippet: list[tuple[str, bool]]

    @property
    def text(self) -> str:
        return "".join(piece for piece, _ in self.snippet)


class Found(Answer):
    """What a search found, best first. Conversations are found by their titles."""

    query: str
    corrected: dict[str, str]
    incomplete: bool
    messages: list[FoundMessage]
    episodes: list[Episode]
    #: Of a server that searches files; older ones tell of none.
    files: list[FoundFile] = []
    conversations: list[Conversation]
    facts: list[Fact]


class TaughtFact(Answer):
    """A fact whose message was deleted."""

    fact_id: int
    category: str
    key: str
    #: In a dry run, and of one that stays.
    value: str = ""
    stays: bool


class Receipt(Answer):
    """What a deletion removed, or would remove: rows by kind."""

    deleted: bool
    dry_run: bool
    counts: dict[str, int]
    #: Other facts that the deleted messages had taught.
    facts: list[TaughtFact] = []
    #: Messages that still contain the value of the deleted fact.
    mentions_left: int = 0
    #: Replies of other conversations that repeat what was deleted, and stay.
    replies_left: int = 0

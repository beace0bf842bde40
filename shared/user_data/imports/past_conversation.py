"""A conversation that was read from a file of any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from shared.models import Mode, Role


@dataclass(frozen=True, kw_only=True)
class PastVariant:
    """A variant of a reply in the file that is not the chosen one."""

    content: str
    said_at: datetime | None
    status: str = "complete"
    model: str | None = None
    error: str | None = None
    finish_reason: str | None = None
    rating: int | None = None


@dataclass(frozen=True, kw_only=True)
class PastFile:
    """A file that a message in the file has."""

    name: str
    #: Its id in our own export, which holds its bytes under it.
    file_id: str | None = None
    #: What another export holds in place of its bytes.
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """A message in the file. Consecutive messages of one role are merged later."""

    role: Role
    content: str
    #: None if the file has no time.
    said_at: datetime | None
    name: str | None = None
    status: str = "complete"
    model: str | None = None
    error: str | None = None
    finish_reason: str | None = None
    #: Of a reply: 1 is good, -1 is bad.
    rating: int | None = None
    #: In our own export: the time of the message that asks to withhold it.
    withheld_at: datetime | None = None
    variants: tuple[PastVariant, ...] = ()
    #: Of a user's message: those that can be imported. The others are named in its text.
    files: tuple[PastFile, ...] = ()
    #: The sequence numbers in our own export; several if messages were merged.
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PastBranch:
    """Where a conversation branched from another one of its chat."""

    #: The key and the id of the other one.
    source_key: str
    conversation_id: str
    #: The sequence number of its first message that is not shared.
    at: int
    #: Its program shows the other one. In our own export the chat shows what was active last.
    is_hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class PastConversation:
    """The imported content of one conversation."""

    #: The key that recognises the conversation when it is imported again.
    source_key: str
    #: Ids that the conversation may already have in this database.
    own_ids: tuple[str, ...]
    title: str | None
    agent: str | None
    mode: Mode
    created_at: datetime | None
    utterances: tuple[Utterance, ...]
    is_pinned: bool = False
    is_archived: bool = False
    #: The model that was chosen for it.
    model: str | None = None
    #: The id of its persona in the file.
    persona: int | None = None
    branch: PastBranch | None = None
    project: str | None = None
    #: How many items were not imported, by reason.
    left_out: Mapping[str, int] = field(default_factory=dict)

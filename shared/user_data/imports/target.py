"""An import that runs: whose it is, and what the ids of its file are here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from shared.models import ConversationId, UserId
from shared.store.imports import Tally
from shared.user_data.imports.past_conversation import Utterance

MAX_NOTES = 50


@dataclass(frozen=True, kw_only=True)
class FilePlace:
    """The message that waits for a file of the export."""

    conversation_id: ConversationId
    sequence: int
    #: Among the files of its message, from 1.
    position: int
    name: str
    #: The conversation's position in the file, from 0.
    index: int


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A conversation of the file, and where it is here."""

    #: Its position in the file, from 0.
    index: int
    conversation_id: ConversationId
    #: By their numbers here.
    messages: Sequence[Utterance]
    #: (sequence, position) of the files that an earlier import has brought.
    files: Collection[tuple[int, int]]


class FactSource(NamedTuple):
    """A version of a fact that waits for the conversation that taught it."""

    fact_id: int
    #: The message's number in the file.
    number: int


@dataclass(kw_only=True)
class Places:
    """By the ids of the file. Limits keep it small, whatever the file says."""

    personas: dict[int, int] = field(default_factory=dict)
    #: By their names in the file.
    projects: dict[str, str] = field(default_factory=dict)
    files: dict[str, FilePlace] = field(default_factory=dict)
    #: By conversation.
    sources: dict[str, list[FactSource]] = field(default_factory=dict)
    #: Models of the file that this site does not offer, which the report has named.
    unknown_models: set[str] = field(default_factory=set)


@dataclass(frozen=True, kw_only=True)
class Target:
    user_id: UserId
    import_id: str
    #: Whether what programs no longer show comes, too.
    with_branches: bool = False
    #: Whether the file is an export of ours.
    is_own: bool = False
    places: Places = field(default_factory=Places)


def add_note(tally: Tally, index: int | None, code: str, message: str) -> Tally:
    """`index` is a conversation's position in the file, from 0. None: it is about something else.

    The first `MAX_NOTES` are kept.
    """
    note = {"index": index, "code": code, "message": message}
    return replace(tally, notes=(*tally.notes, note)[:MAX_NOTES])


def leave_out(tally: Tally, reason: str, count: int = 1) -> Tally:
    left_out = dict(tally.left_out)
    left_out[reason] = left_out.get(reason, 0) + count
    return replace(tally, left_out=left_out)

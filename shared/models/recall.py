"""What recall finds and weighs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from shared.models.ids import ConversationId, Role
from shared.models.memory import Episode


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

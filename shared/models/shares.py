"""Links by which anybody may read a chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.models.ids import ConversationId, Role, UserId


@dataclass(frozen=True, kw_only=True)
class NewShare:
    """A link to be stored. The store gets the hash of its token only."""

    user_id: UserId
    conversation_id: ConversationId
    token_hash: bytes
    #: The last message that it shows.
    until_sequence: int
    #: None: it does not expire.
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Share:
    """A link that has not expired, as its user sees it."""

    share_id: int
    conversation_id: ConversationId
    #: Of the conversation, as it is now.
    title: str | None
    #: The first 120 characters of its first message.
    preview: str
    until_sequence: int
    created_at: datetime
    #: None: it does not expire.
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class OpenedShare:
    """What a token that somebody shows leads to."""

    user_id: UserId
    conversation_id: ConversationId
    until_sequence: int
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class SharedMessage:
    """A message as a link shows it."""

    sequence_number: int
    role: Role
    content: str
    #: Its files: `name`, `kind` and `bytes`, and no id by which they could be asked for.
    files: Sequence[dict[str, Any]]

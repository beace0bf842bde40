"""A conversation as a file tells it, whichever form the file has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from shared.models import Mode, Role


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """Something that was said. `said_at` is None when the file does not tell."""

    role: Role
    content: str
    said_at: datetime | None
    name: str | None = None
    status: str = "complete"
    model: str | None = None
    error: str | None = None
    finish_reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class PastConversation:
    """`source_key` is by what it is recognised when it comes again.

    `own_ids` are the ids that it may have here already; `left_out` counts, by reason, what the
    file has and we do not keep.
    """

    source_key: str
    own_ids: tuple[str, ...]
    title: str | None
    agent: str | None
    mode: Mode
    created_at: datetime | None
    utterances: tuple[Utterance, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

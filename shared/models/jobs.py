"""Background work: claims and jobs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.models.conversations import Span
from shared.models.ids import ConversationId, JobState, Kind, Urgency


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

"""Background work: claims and jobs. `processing` in a table is `queued` or `running` as a state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.models.conversations import Span
from shared.models.ids import ConversationId, JobState, Urgency, UserId
from shared.models.job_kinds import Kind


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A job that a worker has begun. The worker may work on it while it holds the lease."""

    job_id: int
    user_id: UserId
    conversation_id: ConversationId
    #: The messages that the job reads.
    span: Span
    #: A number that is higher at each begin of any job. Later writes to the row must have it.
    fencing_token: int
    #: How often the job was begun, this time included.
    attempts: int
    #: The job is for imported messages or is late. It waits behind live jobs.
    in_backlog: bool


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job as users see it: a row of the view `jobs`."""

    kind: Kind
    job_id: int
    conversation_id: ConversationId
    state: JobState
    #: The messages that it is about.
    span: Span
    #: How often it was begun.
    attempts: int
    #: The error of the last failed attempt. None: the job completed.
    error: str | None
    created_at: datetime
    #: When the last attempt was begun. None: no worker has begun it yet.
    begun_at: datetime | None
    #: When it completed or failed for good. None: it waits or runs.
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Due:
    """A job that was claimed in a transaction. Its task is sent after the commit."""

    kind: Kind
    job_id: int
    conversation_id: ConversationId
    urgency: Urgency = "live"

"""The background jobs of a conversation: their states, and a rerun of those that failed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.broker.sending import send_due
from shared.derivations.rerun import rerun_job
from shared.errors import JobInProgressError, NothingToDoError
from shared.models import ConversationId, Job, JobState, Kind, Thing
from shared.store import conversations
from shared.store.facts import extractions
from shared.store.upkeep import jobs
from web.api.answers import Answer, Instant, Page
from web.api.cursors import Place, next_cursor, read_cursor
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import Listing

blueprint = Blueprint(
    "jobs", __name__, url_prefix="/conversations/<conversation:conversation_id>/jobs"
)


class JobAnswer(Answer):
    kind: Kind
    id: int
    state: JobState
    start_sequence: int
    end_sequence: int
    attempts: int
    error: str | None
    created_at: Instant
    begun_at: Instant | None
    finished_at: Instant | None


class JobPage(Page):
    jobs: list[JobAnswer]
    counts: Mapping[Kind, Mapping[JobState, int]] = Field(
        description="Of all jobs of the conversation, by kind and state, but for those whose "
        "messages were replaced."
    )
    unread: int = Field(
        description="Messages that the memory model gave no usable answer about. Another model "
        "reads them again, or a run of the kind `facts`."
    )
    is_yielding: bool = Field(
        description="Whether memory waits, however long, until the model answers nobody."
    )


class DueAnswer(Answer):
    kind: Kind
    id: int


@blueprint.get("")
@needs("memory:read")
@operation()
def list_jobs(conversation_id: ConversationId, query: Listing) -> JobPage:
    """List jobs, newest first."""
    place = read_cursor(query)
    before = (datetime.fromisoformat(place[0]), str(place[1]), int(place[2])) if place else None
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        entries = jobs.list_jobs(connection, conversation_id, query.size + 1, before)
        counts = jobs.count_jobs(connection, conversation_id)
        unread = extractions.count_unread(connection, conversation_id)
    return JobPage(
        jobs=[job_answer(job) for job in entries[: query.size]],
        counts=counts,
        unread=unread,
        is_yielding=web_context().services.memory_limit.is_waiting(),
        next_cursor=next_cursor(entries, query, _place),
    )


@blueprint.post("/<kind>/run")
@needs("memory:write")
@operation(202, raises=(JobInProgressError, NothingToDoError), once=True)
def run(conversation_id: ConversationId, kind: str) -> tuple[DueAnswer, int]:
    """Run a failed job again. One of facts also reads what no model could read (`unread`).

    202 with the new job's id. 409 `job_in_progress` or `nothing_to_do` when there is none.
    """
    services = web_context().services
    with transaction() as connection:
        due = rerun_job(
            connection, g.user_id, conversation_id, cast("Kind", kind), services.settings
        )
        record(connection, "job.run", g.user_id, Thing("job", f"{due.kind}/{due.job_id}"))
    send_due(services.broker, [due])
    return DueAnswer(kind=due.kind, id=due.job_id), 202


def job_answer(job: Job) -> JobAnswer:
    return JobAnswer(
        kind=job.kind,
        id=job.job_id,
        state=job.state,
        start_sequence=job.span.start,
        end_sequence=job.span.end,
        attempts=job.attempts,
        error=job.error,
        created_at=job.created_at,
        begun_at=job.begun_at,
        finished_at=job.finished_at,
    )


def _place(job: Job) -> Place:
    return job.created_at.isoformat(), job.kind, job.job_id

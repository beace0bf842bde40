"""What operators see of the site: ids, counts and times, no user's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from flask import Blueprint, Response, g, request
from pydantic import Field

from shared.broker.queues import find_waiting
from shared.broker.tasks import QUEUES
from shared.broker.workers import find_workers
from shared.errors import NotSignedInError
from shared.models import ConversationId, Job, JobState, JobStatus, Kind, Summary
from shared.store import audit, summaries
from shared.store.search import message_vectors, passage_vectors
from shared.store.upkeep import jobs, operations
from shared.store.upkeep.operations import OpenRounds
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.operation import operation
from web.errors import error_response
from web.identity.operators import check_operator
from web.process.context import web_context
from web.requests.callers import needs
from web.requests.queries import Id, Listing
from web.views.audit import AuditOfAllQuery, AuditPage, audit_page

blueprint = Blueprint("operations", __name__, url_prefix="/operations")

WITHIN_S = 24 * 3600
STEP_S = 3600
STUCK_SHOWN = 50
USERS_SHOWN = 20
CONVERSATIONS_SHOWN = 20
MAX_UNEMBEDDED = 100_000  # counting stops here
WORKERS_ANSWER_S = 1.0


class StateAnswer(Answer):
    kind: Kind
    state: JobState
    count: int


class StuckAnswer(Answer):
    """A job that has not ended within `stuck_after_s`."""

    kind: Kind
    id: int
    conversation_id: str
    state: JobState
    start_sequence: int
    end_sequence: int
    attempts: int
    created_at: Instant


class TimesAnswer(Answer):
    """Jobs of one kind that completed within one hour."""

    kind: Kind
    since: Instant
    count: int
    average_ms: float
    longest_ms: float


class RatingsAnswer(Answer):
    """How users have rated the replies of one model."""

    model: str | None
    up: int
    down: int


class RoundsAnswer(Answer):
    """Rounds, and the calls of memory that yield to them."""

    open: int = Field(description="Replies that are being written.")
    oldest_s: float | None = Field(description="Since the oldest of them was begun.")
    waiting: int | None = Field(
        description="Of them, those that wait for the model's first word. Null: Redis is away."
    )
    memory_calls: int | None = Field(
        description="Calls that memory makes of the model of replies. Null: Redis is away."
    )


class LoadAnswer(Answer):
    """What one user has used today (UTC)."""

    user_id: str
    rounds: int
    searches: int
    tokens: int


class NumbersAnswer(Answer):
    within_s: int
    stuck_after_s: float
    states: list[StateAnswer] = Field(
        description="Jobs that wait or run, and those that ended within `within_s`."
    )
    rounds: RoundsAnswer
    users: list[LoadAnswer] = Field(description="Those with the most tokens today, 20 at most.")
    stuck: list[StuckAnswer]
    running_times: list[TimesAnswer]
    ratings: list[RatingsAnswer]
    conversations: list[str] = Field(description="Those that were summarised last.")
    unembedded: int = Field(description="Messages without a vector, 100,000 at most.")
    unembedded_passages: int = Field(
        description="Files to be cut, and passages of files without a vector, 100,000 at most."
    )
    queues: Mapping[str, int] | None = Field(description="Null: the broker cannot be asked.")


class WorkerAnswer(Answer):
    name: str
    running: int = Field(description="Tasks that it is at.")


class WorkersAnswer(Answer):
    workers: list[WorkerAnswer] | None = Field(description="Null: the broker cannot be asked.")


class VersionsQuery(Listing):
    DEFAULT = 100

    conversation_id: Id | None = Field(
        default=None, description="Without it, the conversation that was summarised last."
    )


class VersionAnswer(Answer):
    """A rolling summary without its text."""

    memory_id: int
    base_memory_id: int | None
    start_sequence: int
    end_sequence: int
    status: JobStatus
    generation_time_ms: int | None
    attempts: int
    created_at: Instant


class VersionPage(Page):
    conversation_id: str | None
    versions: list[VersionAnswer]


@blueprint.before_request
def refuse_others() -> Response | None:
    if g.caller.token_id is not None:
        return None  # an API token with the scope `operate`, of an operator
    context = web_context()
    is_open = context.local_token is None
    try:
        check_operator(request, context.services.settings, g.user_id, is_open=is_open)
    except NotSignedInError as error:
        refusal = error_response(error.http_status, error.code, error.message)
        refusal.headers["WWW-Authenticate"] = 'Basic realm="Throughline operations"'
        return refusal
    return None


@blueprint.get("")
@needs("operate")
@operation()
def show_numbers() -> NumbersAnswer:
    """Count the last day's jobs, stuck jobs, queues and unembedded messages."""
    services = web_context().services
    stuck_after_s = services.settings.stuck_after_s
    with services.database.upkeep() as connection:
        states = operations.count_states(connection, WITHIN_S)
        rounds = operations.count_open_rounds(connection)
        loads = operations.list_loads(connection, USERS_SHOWN)
        stuck = jobs.list_stuck(connection, stuck_after_s, STUCK_SHOWN)
        times = operations.list_running_times(connection, within_s=WITHIN_S, step_s=STEP_S)
        ratings = operations.count_ratings(connection)
        newest = operations.list_newest_summarised(connection, CONVERSATIONS_SHOWN)
        unembedded = message_vectors.count_unembedded(connection, MAX_UNEMBEDDED)
        unembedded_passages = passage_vectors.count_waiting(connection, MAX_UNEMBEDDED)
    return NumbersAnswer(
        within_s=WITHIN_S,
        stuck_after_s=stuck_after_s,
        states=[StateAnswer(**asdict(count)) for count in states],
        rounds=_rounds_answer(rounds, services.waiting_rounds().count()),
        users=[LoadAnswer(**asdict(load)) for load in loads],
        stuck=[_stuck_answer(job) for job in stuck],
        running_times=[TimesAnswer(**asdict(step)) for step in times],
        ratings=[RatingsAnswer(**asdict(count)) for count in ratings],
        conversations=[str(conversation_id) for conversation_id in newest],
        unembedded=unembedded,
        unembedded_passages=unembedded_passages,
        queues=find_waiting(services.broker, QUEUES),
    )


@blueprint.get("/workers")
@needs("operate")
@operation()
def list_workers() -> WorkersAnswer:
    """List the workers that answer within a second."""
    workers = find_workers(web_context().services.broker, WORKERS_ANSWER_S)
    if workers is None:
        return WorkersAnswer(workers=None)
    return WorkersAnswer(workers=[WorkerAnswer(**asdict(worker)) for worker in workers])


@blueprint.get("/versions")
@needs("operate")
@operation()
def list_summary_versions(query: VersionsQuery) -> VersionPage:
    """List a conversation's rolling summaries, newest first, without their text."""
    place = read_cursor(query)
    requested_id, before_id = place or (query.conversation_id, None)
    database = web_context().services.database
    with database.upkeep() as connection:
        newest = (
            [requested_id] if requested_id else operations.list_newest_summarised(connection, 1)
        )
        conversation_id = ConversationId(newest[0]) if newest else None
        user_id = operations.find_owner(connection, conversation_id) if conversation_id else None
    entries = []
    if conversation_id and user_id:
        with database.transaction(user=user_id) as connection:
            entries = summaries.list_summaries(
                connection, conversation_id, limit=query.size + 1, before_id=before_id
            )
    return VersionPage(
        conversation_id=conversation_id,
        versions=[_version_answer(row) for row in entries[: query.size]],
        next_cursor=next_cursor(entries, query, lambda row: (conversation_id, row.memory_id)),
    )


@blueprint.get("/audit")
@needs("operate")
@operation()
def list_all_events(query: AuditOfAllQuery) -> AuditPage:
    """List what was done to anybody's data, newest first."""
    with web_context().services.database.upkeep() as connection:
        events = audit.list_events(connection, query.event_filter, query.size + 1)
    return audit_page(events, query)


def _rounds_answer(rounds: OpenRounds, calls: Mapping[str, int] | None) -> RoundsAnswer:
    return RoundsAnswer(
        open=rounds.count,
        oldest_s=rounds.oldest_s,
        waiting=calls["rounds"] if calls else None,
        memory_calls=calls["memory"] if calls else None,
    )


def _stuck_answer(job: Job) -> StuckAnswer:
    return StuckAnswer(
        kind=job.kind,
        id=job.job_id,
        conversation_id=job.conversation_id,
        state=job.state,
        start_sequence=job.span.start,
        end_sequence=job.span.end,
        attempts=job.attempts,
        created_at=job.created_at,
    )


def _version_answer(row: Summary) -> VersionAnswer:
    return VersionAnswer(
        memory_id=row.memory_id,
        base_memory_id=row.base_memory_id,
        start_sequence=row.start_sequence,
        end_sequence=row.end_sequence,
        status=row.status,
        generation_time_ms=row.generation_time_ms,
        attempts=row.attempts,
        created_at=row.created_at,
    )

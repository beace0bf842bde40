"""The operators' page and its data: ids, counts and times, no user's text."""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, jsonify, render_template, request

from shared.broker import QUEUES, find_waiting, find_workers
from shared.errors import NotSignedInError
from shared.models import ConversationId, Job, Summary
from shared.settings import Settings
from shared.store import audit, summaries
from shared.store.search import message_vectors
from shared.store.upkeep import jobs, operations
from web.api.operation import operation
from web.callers import needs
from web.context import web_context
from web.errors import error_response
from web.forms import check_id
from web.operators import check_operator
from web.texts import LANGUAGE, read_texts
from web.views.audit import AuditOfAllQuery, AuditPage, audit_page
from web.views.page import list_static

blueprint = Blueprint("operations", __name__)

WITHIN_S = 24 * 3600
STEP_S = 3600
STUCK_SHOWN = 50
VERSIONS_SHOWN = 100
CONVERSATIONS_SHOWN = 20
MAX_UNEMBEDDED = 100_000  # counting stops here
WORKERS_ANSWER_S = 1.0


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


@blueprint.get("/operations")
@needs("operate")
def show() -> str:
    return render_template(
        "operations/page.html",
        lang=LANGUAGE,
        texts=read_texts(),
        modules=list_static("operations", "*.js"),
        flower_url=_flower_url(web_context().services.settings),
    )


@blueprint.get("/operations.json")
@needs("operate")
def numbers() -> Response:
    """The last day's jobs by state and running time; stuck jobs, queue lengths and unembedded
    messages of now.

    `queues` is null when the broker is down.
    """
    services = web_context().services
    stuck_after_s = services.settings.stuck_after_s
    with services.database.upkeep() as connection:
        states = operations.count_states(connection, WITHIN_S)
        stuck = jobs.list_stuck(connection, stuck_after_s, STUCK_SHOWN)
        times = operations.list_running_times(connection, within_s=WITHIN_S, step_s=STEP_S)
        newest = operations.list_newest_summarised(connection, CONVERSATIONS_SHOWN)
        unembedded = message_vectors.count_unembedded(connection, MAX_UNEMBEDDED)
    return jsonify(
        within_s=WITHIN_S,
        stuck_after_s=stuck_after_s,
        states=[asdict(count) for count in states],
        stuck=[_stuck_json(job) for job in stuck],
        running_times=[asdict(step) | {"since": step.since.isoformat()} for step in times],
        conversations=newest,
        unembedded=unembedded,
        queues=find_waiting(services.broker, QUEUES),
    )


@blueprint.get("/operations/workers.json")
@needs("operate")
def workers() -> Response:
    """Takes a second, to collect the workers' answers. Null: the broker is down."""
    found = find_workers(web_context().services.broker, WORKERS_ANSWER_S)
    return jsonify(workers=None if found is None else [asdict(worker) for worker in found])


@blueprint.get("/operations/versions.json")
@needs("operate")
def versions() -> Response:
    """A conversation's rolling summaries; of the newest conversation unless one is named."""
    asked = request.args.get("conversation_id", "").strip()
    database = web_context().services.database
    with database.upkeep() as connection:
        newest = [check_id(asked)] if asked else operations.list_newest_summarised(connection, 1)
        own_id = ConversationId(newest[0]) if newest else None
        user_id = operations.find_owner(connection, own_id) if own_id else None
    chain = []
    if own_id and user_id:
        with database.transaction(user=user_id) as connection:
            chain = summaries.list_summaries(connection, own_id, limit=VERSIONS_SHOWN)
    return jsonify(conversation_id=own_id, versions=[_version_json(row) for row in chain])


@blueprint.get("/operations/audit.json")
@needs("operate")
@operation()
def list_all_events(query: AuditOfAllQuery) -> AuditPage:
    """What was done to anybody's data, newest first, in pages as of `GET /api/audit`."""
    with web_context().services.database.upkeep() as connection:
        found = audit.list_events(connection, query.wanted, query.size + 1)
    return audit_page(found, query)


def _flower_url(settings: Settings) -> str:
    if settings.flower_url:
        return settings.flower_url
    name = urlsplit(request.host_url).hostname or ""
    host = f"[{name}]" if ":" in name else name
    return f"http://{host}:{settings.flower_port}/"


def _stuck_json(job: Job) -> dict[str, object]:
    return {
        "kind": job.kind,
        "id": job.job_id,
        "conversation_id": job.conversation_id,
        "state": job.state,
        "start_sequence": job.span.start,
        "end_sequence": job.span.end,
        "attempts": job.attempts,
        "created_at": job.created_at.isoformat(),
    }


def _version_json(row: Summary) -> dict[str, object]:
    return {
        "memory_id": row.memory_id,
        "base_memory_id": row.base_memory_id,
        "start_sequence": row.start_sequence,
        "end_sequence": row.end_sequence,
        "status": row.status,
        "generation_time_ms": row.generation_time_ms,
        "attempts": row.attempts,
        "created_at": row.created_at.isoformat(),
    }

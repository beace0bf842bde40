"""The background jobs of a conversation: their states, and a rerun of those that failed."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, g, jsonify

from shared.access.audit import record
from shared.broker import send_due
from shared.derivations.rerun import rerun_job
from shared.models import ConversationId, Job, Kind, Thing
from shared.store import conversations
from shared.store.upkeep import jobs
from web.callers import needs
from web.context import transaction, web_context

blueprint = Blueprint(
    "jobs", __name__, url_prefix="/api/conversations/<conversation:conversation_id>/jobs"
)


@blueprint.get("")
@needs("memory:read")
def list_jobs(conversation_id: ConversationId) -> Response:
    """The newest jobs, newest first; `counts` is of all, by kind and state."""
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        found = jobs.list_jobs(connection, conversation_id)
        counts = jobs.count_jobs(connection, conversation_id)
    return jsonify(jobs=[job_json(job) for job in found], counts=counts)


@blueprint.post("/<kind>/run")
@needs("memory:write")
def run(conversation_id: ConversationId, kind: str) -> tuple[Response, int]:
    """202 with the new job's id. 409 `job_in_progress` or `nothing_to_do` when there is none."""
    services = web_context().services
    with transaction() as connection:
        due = rerun_job(
            connection, g.user_id, conversation_id, cast("Kind", kind), services.settings
        )
        record(connection, "job.run", g.user_id, Thing("job", f"{due.kind}/{due.job_id}"))
    send_due(services.broker, [due])
    return jsonify(kind=due.kind, id=due.job_id), 202


def job_json(job: Job) -> dict[str, object]:
    return {
        "kind": job.kind,
        "id": job.job_id,
        "state": job.state,
        "start_sequence": job.span.start,
        "end_sequence": job.span.end,
        "attempts": job.attempts,
        "error": job.error,
        "created_at": job.created_at.isoformat(),
        "begun_at": job.begun_at.isoformat() if job.begun_at else None,
        "finished_at": job.finished_at.isoformat() if job.finished_at else None,
    }

"""The background jobs of a conversation: how they stand, and one more try for those that failed."""

from __future__ import annotations

from datetime import datetime
from typing import cast
from uuid import UUID

from flask import Blueprint, Response, g, jsonify

from shared.broker import send_due
from shared.derivations.rerun import rerun_job
from shared.models import ConversationId, Job, Kind
from shared.store import conversations
from shared.store.upkeep import jobs
from web.context import transaction, web_context

blueprint = Blueprint("jobs", __name__, url_prefix="/api/conversations/<uuid:conversation_id>/jobs")


@blueprint.get("")
def list_jobs(conversation_id: UUID) -> Response:
    """The newest jobs, newest first; `counts` is of all, by kind and state."""
    own_id = ConversationId(str(conversation_id))
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, own_id)
        found = jobs.list_jobs(connection, own_id)
        counts = jobs.count_jobs(connection, own_id)
    return jsonify(jobs=[job_json(job) for job in found], counts=counts)


@blueprint.post("/<kind>/run")
def run(conversation_id: UUID, kind: str) -> tuple[Response, int]:
    """202 with the new job's id. 409 `job_in_progress` or `nothing_to_do` when there is none."""
    services = web_context().services
    with transaction() as connection:
        due = rerun_job(
            connection,
            g.user_id,
            ConversationId(str(conversation_id)),
            cast("Kind", kind),
            services.settings,
        )
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
        "begun_at": _instant(job.begun_at),
        "finished_at": _instant(job.finished_at),
    }


def _instant(value: datetime | None) -> str | None:
    return value.isoformat() if value else None

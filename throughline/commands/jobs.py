"""`throughline jobs` and `throughline requeue`: memory's jobs, counted and sent again."""

from __future__ import annotations

from typing import get_args

import click

from shared.broker.sending import send_due
from shared.derivations.rerun import rerun_job
from shared.errors import JobInProgressError, NotFoundError, NothingToDoError
from shared.maintenance.sweep import catch_up, sweep
from shared.models import ConversationId, Due, Kind
from shared.services import Services
from shared.store.upkeep import jobs as all_jobs
from shared.store.upkeep import operations
from throughline.printing import json_option, show
from throughline.site import open_services

DAY_S = 86_400
MOST_STUCK = 100


@click.command()
@json_option
def jobs(*, as_json: bool) -> None:
    """Count the jobs that wait or run, or ended in the last day, and list those that are stuck."""
    with open_services() as services, services.database.upkeep() as connection:
        counts = operations.count_states(connection, DAY_S)
        stuck_after_s = services.settings.stuck_after_s
        stuck = all_jobs.list_stuck(connection, stuck_after_s, MOST_STUCK)
    result = {
        "counts": [{"kind": job.kind, "state": job.state, "count": job.count} for job in counts],
        "stuck": [
            {
                "kind": job.kind,
                "job_id": job.job_id,
                "conversation_id": job.conversation_id,
                "created_at": job.created_at.isoformat(),
                "attempts": job.attempts,
            }
            for job in stuck
        ],
    }
    lines = [f"{job.kind:10} {job.state:10} {job.count:8}" for job in counts]
    lines += [
        f"stuck: {job.kind} {job.job_id} of conversation {job.conversation_id}, since "
        f"{job.created_at:%Y-%m-%d %H:%M} UTC, attempts: {job.attempts}"
        for job in stuck
    ]
    show(result, lines or ["No jobs."], as_json=as_json)


@click.command()
@click.option("--conversation", "conversation_id", help="Only its jobs, failed ones at once.")
@json_option
def requeue(*, conversation_id: str | None, as_json: bool) -> None:
    """Do now what the sweep does: free jobs whose worker died, send waiting ones, claim new ones.

    It may run beside the sweep. Without a conversation, failed jobs are claimed after their pause.
    """
    with open_services() as services:
        if conversation_id is None:
            sweep(services)
            catch_up(services)
            show({"swept": True}, ["Swept, and caught up."], as_json=as_json)
            return
        due = _claim_again(services, ConversationId(conversation_id))
        send_due(services.broker, due)
    sent = [{"kind": job.kind, "job_id": job.job_id} for job in due]
    lines = [f"sent: {job.kind} {job.job_id}" for job in due] or ["Nothing is due there."]
    show({"sent": sent}, lines, as_json=as_json)


def _claim_again(services: Services, conversation_id: ConversationId) -> list[Due]:
    with services.database.upkeep() as connection:
        owner = operations.find_owner(connection, conversation_id)
    if owner is None:
        raise NotFoundError("There is no such conversation.")
    due = []
    for kind in get_args(Kind):
        try:
            with services.database.transaction(user=owner) as connection:
                due.append(rerun_job(connection, owner, conversation_id, kind, services.settings))
        except (JobInProgressError, NothingToDoError):
            continue
    return due

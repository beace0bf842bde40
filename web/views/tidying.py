"""The tidying of the user's facts: what it did, and a run by hand."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.broker.sending import send_due
from shared.derivations.rerun import tidy_now
from shared.errors import JobInProgressError, NothingToDoError
from shared.models import Thing
from shared.store import tidyings
from shared.store.facts import tidied
from web.api.answers import Answer, Instant
from web.api.operation import operation
from web.fields.memories import MemoryQuery, memory_transaction
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.views.facts import FactAnswer, fact_answer
from web.views.jobs import DueAnswer

SHOWN = 50

blueprint = Blueprint("tidying", __name__, url_prefix="/me/tidying")


class TidyingAnswer(Answer):
    in_progress: bool
    finished_at: Instant | None = Field(description="When the newest one ended. Null: never yet.")
    changes: list[FactAnswer] = Field(
        description=f"The facts that were ended, at most {SHOWN}, the last first: `tidied` tells "
        "why. `POST …/facts/{id}/undo` makes one current again."
    )


@blueprint.get("")
@needs("memory:read")
@operation()
def show_tidying(query: MemoryQuery) -> TidyingAnswer:
    """Show what has been tidied."""
    with memory_transaction(query.project) as connection:
        newest = tidyings.find_newest(connection, g.user_id)
        changes = tidied.list_tidied(connection, g.user_id, SHOWN)
    return TidyingAnswer(
        in_progress=newest is not None and newest.finished_at is None,
        finished_at=newest.finished_at if newest else None,
        changes=[fact_answer(fact) for fact in changes],
    )


@blueprint.post("")
@needs("memory:write")
@operation(202, raises=(JobInProgressError, NothingToDoError), once=True)
def tidy_up() -> tuple[DueAnswer, int]:
    """Tidy the user's facts now. By itself it is done once a day.

    202 with the job's id. 409 `job_in_progress`, or `nothing_to_do` when nothing was said yet.
    """
    services = web_context().services
    with transaction() as connection:
        due = tidy_now(connection, g.user_id, services.settings)
        record(connection, "job.run", g.user_id, Thing("job", f"{due.kind}/{due.job_id}"))
    send_due(services.broker, [due])
    return DueAnswer(kind=due.kind, id=due.job_id), 202

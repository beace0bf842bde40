"""The tasks of the background jobs, one for each kind."""

from __future__ import annotations

from shared.derivations.kinds import do_job
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS
from shared.services import current_services
from workers.app import app


def _register(kind: Kind) -> None:
    @app.task(name=DERIVATIONS[kind].task)
    def run(job_id: int) -> None:
        do_job(current_services(), kind, job_id)


for each in DERIVATIONS:
    _register(each)

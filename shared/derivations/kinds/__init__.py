"""How the jobs of each kind are done: a file each, with its `RECIPE`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shared.derivations.runner import Recipe, run_job
from shared.models import Kind
from shared.models.job_kinds import KINDS
from shared.services import Services

RECIPES: dict[Kind, Recipe[Any]] = {
    kind: import_module(f"{__name__}.{kind}").RECIPE for kind in KINDS
}


def do_job(services: Services, kind: Kind, job_id: int) -> None:
    run_job(services, RECIPES[kind], job_id)

"""The task of tidying facts."""

from __future__ import annotations

from shared.broker import TIDY
from shared.derivations.tidying import tidy
from shared.services import current_services
from workers.app import app


@app.task(name=TIDY)
def tidy_of(tidying_id: int) -> None:
    tidy(current_services(), tidying_id)

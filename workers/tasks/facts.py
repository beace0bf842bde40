"""The task of facts."""

from __future__ import annotations

from shared.broker import EXTRACT_FACTS
from shared.derivations import facts
from shared.services import current_services
from workers.app import app


@app.task(name=EXTRACT_FACTS)
def extract_facts(extraction_id: int) -> None:
    facts.extract_facts(current_services(), extraction_id)

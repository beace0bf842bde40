"""The task of rolling summaries."""

from __future__ import annotations

from shared.broker import SUMMARIZE
from shared.derivations.summary import summarize
from shared.services import current_services
from workers.app import app


@app.task(name=SUMMARIZE)
def summarize_messages(memory_id: int) -> None:
    summarize(current_services(), memory_id)

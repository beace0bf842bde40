"""The task of titles."""

from __future__ import annotations

from shared.broker import WRITE_TITLE
from shared.derivations.title import write_title
from shared.services import current_services
from workers.app import app


@app.task(name=WRITE_TITLE)
def write_title_of(title_id: int) -> None:
    write_title(current_services(), title_id)

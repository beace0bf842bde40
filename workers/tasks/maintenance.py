"""The tasks that beat sends: sweep, catch-up and retention.

They come every few seconds and are no work of anybody's, so Flower is not told of them.
"""

from __future__ import annotations

from shared.broker.tasks import CATCH_UP, RETIRE, SWEEP
from shared.maintenance import sweep
from shared.maintenance.retention import retire
from shared.services import current_services
from workers.app import app


@app.task(name=SWEEP, send_events=False)
def sweep_left_behind() -> None:
    sweep.sweep(current_services())


@app.task(name=CATCH_UP, send_events=False)
def catch_up_lagging() -> None:
    sweep.catch_up(current_services())


@app.task(name=RETIRE, send_events=False)
def retire_old() -> None:
    retire(current_services())

"""The task of webhooks."""

from __future__ import annotations

from shared.broker.tasks import DELIVER
from shared.events.delivery import deliver
from shared.services import current_services
from workers.app import app


@app.task(name=DELIVER)
def deliver_to(webhook_id: int) -> None:
    deliver(current_services(), webhook_id)

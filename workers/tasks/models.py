"""The task that checks a model of the environment."""

from __future__ import annotations

from shared.broker.tasks import CHECK_MODEL
from shared.derivations.model_check import check_models
from shared.services import current_services
from workers.app import app


@app.task(name=CHECK_MODEL)
def check_model() -> None:
    check_models(current_services())

"""Checks by itself whether memory's model can be asked about doubtful facts.

Only a model that the environment names: one of the page is checked when it is set up. The check is
begun the first time that such a model would have been asked, and is repeated until it has an
answer: in the next pause if it gave way to a round, after ten minutes if the model failed. Until
then doubtful facts stay suggestions.
"""

from __future__ import annotations

import logging

from shared.broker import send_check
from shared.derivations.slot_requests import request_slot
from shared.ephemeral.admission import Slot
from shared.errors import MemoryYieldsError, ThroughlineError
from shared.guard import note_failure
from shared.llm import interruptible
from shared.llm.request import LLM_DEADLINE_S
from shared.llm.targets import environment_model
from shared.llm.verification import find_right
from shared.llm.verification_probe import probe_verification
from shared.models.site_models import EnvironmentModel
from shared.services import Services
from shared.settings import Settings
from shared.store import environment_models

PAUSE_S = 600.0

logger = logging.getLogger(__name__)


def begin_check(services: Services) -> None:
    """Send a check of memory's model, unless it was checked. An error ends no job."""
    model = _find_unchecked(services.models.settings())
    if model is None:
        return
    try:
        with services.database.transaction() as connection:
            is_claimed = environment_models.claim_probe(connection, model, PAUSE_S)
        if is_claimed:
            send_check(services.broker)
    except Exception as exc:
        note_failure("model_check", exc)


def resume_check(services: Services) -> None:
    """Send a check again that has had no answer."""
    model = _find_unchecked(services.models.settings())
    if model is None:
        return
    with services.database.transaction() as connection:
        is_begun = environment_models.is_probe_begun(connection, model)
    if is_begun:
        begin_check(services)


def check_memory_model(services: Services) -> None:
    """Put the notes of the probe to memory's model in one call, and keep how many it tells right.

    It gives way to rounds: then the sweep sends it again, until a pause is long enough.
    """
    settings = services.models.settings()
    model = _find_unchecked(settings)
    if model is None:
        return
    request = request_slot(services, "check", 0, in_backlog=False)
    try:
        slot = services.memory_limit.wait_for_slot(request)
        if not isinstance(slot, Slot):
            raise MemoryYieldsError
        with slot, interruptible(lambda: _check(slot), in_steps=slot.yields):
            right = probe_verification(model.name, settings, LLM_DEADLINE_S)
    except ThroughlineError as exc:
        logger.info("model.not_checked", extra={"code": exc.code})
        if isinstance(exc, MemoryYieldsError):
            with services.database.transaction() as connection:
                environment_models.put_probe_off(connection, model)
        return
    with services.database.transaction() as connection:
        environment_models.set_verification(connection, model, right)
    services.models.refresh()


def _find_unchecked(settings: Settings) -> EnvironmentModel | None:
    """Memory's model, if the environment names it and no check of it has had an answer."""
    model = environment_model(settings)
    is_used = model is not None and model.name == settings.effective_memory_model
    return model if is_used and find_right(settings) is None else None


def _check(slot: Slot) -> None:
    if slot.is_revoked:
        raise MemoryYieldsError

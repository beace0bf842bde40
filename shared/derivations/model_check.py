"""Examines models before their word about facts is taken, note by note, behind all other jobs.

An examination is begun when a model is set up or changed, and the first time that memory uses one.
Each note is kept when it is answered, so that what a reply cuts off goes on later.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from shared.broker import send_check
from shared.derivations.examination import ask_next
from shared.ephemeral.admission import Slot, SlotRequest
from shared.errors import MemoryYieldsError, ThroughlineError
from shared.guard import note_failure
from shared.llm import interruptible
from shared.llm.targets import place_of
from shared.llm.trust import find_examination, trust_of
from shared.models.site_models import Examination
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import examinations

#: Before an examination that stands still is begun again.
PAUSE_S = 120.0

logger = logging.getLogger(__name__)


def begin_check(services: Services, model: str) -> None:
    """Begin the examination of a model, or go on with it, if its word depends on it.

    An error ends no job.
    """
    settings = services.models.settings()
    place = place_of(model, settings)
    if place is None or not _is_unexamined(model, settings):
        return
    try:
        with services.database.transaction() as connection:
            is_claimed = examinations.claim_examination(
                connection, place, load_prompt("facts").version, PAUSE_S
            )
        if is_claimed:
            send_check(services.broker)
    except Exception as exc:
        note_failure("model_check", exc)


def check_models(services: Services) -> None:
    """Go on with the examinations that were begun, memory's model first."""
    services.models.refresh()
    settings = services.models.settings()
    names = dict.fromkeys(
        (settings.effective_memory_model, *(model.name for model in settings.site_models))
    )
    for name in names:
        examination = find_examination(name, settings)
        if examination and not examination.is_done and not _examine(services, name, examination):
            break
    services.models.refresh()


def _examine(services: Services, model: str, examination: Examination) -> bool:
    """Put the notes that are left to the model. False: it gives way, or the model fails."""
    settings = services.models.settings()
    place = place_of(model, settings)
    request = SlotRequest(kind="check", job_id=0, in_backlog=True, age_s=0)
    while place and not examination.is_done:
        slot = services.memory_limit.wait_for_slot(request)
        if not isinstance(slot, Slot):
            logger.info("model.not_checked", extra={"code": slot})
            return False
        asked_before = examination.asked_count
        try:
            with slot, interruptible(_check_of(slot)):
                examination = ask_next(examination, model, settings)
        except ThroughlineError as exc:
            logger.info("model.not_checked", extra={"code": exc.code})
            return False
        with services.database.transaction() as connection:
            is_saved = examinations.save_examination(
                connection, place, examination, asked_before=asked_before
            )
        if not is_saved:
            return False
    return True


def _is_unexamined(model: str, settings: Settings) -> bool:
    examination = find_examination(model, settings)
    is_done = examination is not None and examination.is_done
    return trust_of(model, settings) == "examined" and not is_done


def _check_of(slot: Slot) -> Callable[[], None]:
    def check() -> None:
        if slot.is_revoked:
            raise MemoryYieldsError

    return check

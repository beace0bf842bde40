"""Examines models before their word about facts is taken, note by note, in pauses between rounds.

An examination is begun when a model is set up or changed, and the first time that memory uses one.
Each note is kept when it is answered, so that what a round cuts off goes on later: with the next
sweep if it gave way, after ten minutes if the model failed.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from shared.broker.sending import send_check
from shared.derivations.examination import ask_next
from shared.derivations.slot_requests import request_slot
from shared.ephemeral.admission import Rank, Slot
from shared.errors import MemoryYieldsError, ThroughlineError
from shared.guard import note_failure
from shared.llm import interruptible
from shared.llm.targets import OFFLINE_PREFIX, place_of
from shared.llm.trust import find_examination, trust_of
from shared.models.request_limits import ModelPlace
from shared.models.site_models import Examination
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import examinations

#: Before an examination that stands still is begun again.
PAUSE_S = 600.0

logger = logging.getLogger(__name__)


def begin_check(services: Services, model: str) -> None:
    """Begin the examination of a model, or go on with it, if its word depends on it.

    An error ends no job.
    """
    settings = services.models.settings()
    if not _is_unexamined(model, settings):
        return
    try:
        with services.database.transaction() as connection:
            is_claimed = examinations.claim_examination(
                connection, place_of(model, settings), load_prompt("facts").version, PAUSE_S
            )
        if is_claimed:
            send_check(services.broker)
    except Exception as exc:
        note_failure("model_check", exc)


def resume_check(services: Services) -> None:
    """Go on with examinations that gave way, or stand still."""
    for model, _ in _list_open(services.models.settings()):
        begin_check(services, model)


def check_models(services: Services) -> None:
    """Go on with the examinations that were begun, memory's model first."""
    services.models.refresh()
    for model, examination in _list_open(services.models.settings()):
        if not _examine(services, model, examination):
            break
    services.models.refresh()


def _list_open(settings: Settings) -> list[tuple[str, Examination]]:
    names = dict.fromkeys(
        (settings.effective_memory_model, *(model.name for model in settings.site_models))
    )
    begun = [(name, find_examination(name, settings)) for name in names]
    return [(name, known) for name, known in begun if known and not known.is_done]


def _examine(services: Services, model: str, examination: Examination) -> bool:
    """Put the notes that are left to the model. False: it gives way, or the model fails.

    The first note goes before other jobs, the next ones behind facts that wait: they take turns.
    """
    settings = services.models.settings()
    place = place_of(model, settings)
    rank: Rank = 0
    while not examination.is_done:
        asked_before = examination.asked_count
        try:
            examination = _ask_next(services, model, examination, rank)
            rank = 1
        except ThroughlineError as exc:
            logger.info("model.not_checked", extra={"code": exc.code})
            if isinstance(exc, MemoryYieldsError):
                _put_off(services, place)
            return False
        with services.database.transaction() as connection:
            is_saved = examinations.save_examination(
                connection, place, examination, asked_before=asked_before
            )
        if not is_saved:
            return False
    return True


def _ask_next(services: Services, model: str, examination: Examination, rank: Rank) -> Examination:
    """Put one note to the model, in a slot of its own. Raises what `complete` raises."""
    request = request_slot(services, "check", 0, in_backlog=False)
    slot = services.memory_limit.wait_for_slot(replace(request, rank=rank))
    if not isinstance(slot, Slot):
        raise MemoryYieldsError
    with slot, interruptible(lambda: _check(slot), in_steps=slot.yields):
        return ask_next(examination, model, services.models.settings())


def _put_off(services: Services, place: ModelPlace) -> None:
    with services.database.transaction() as connection:
        examinations.put_examination_off(connection, place)


def _is_unexamined(model: str, settings: Settings) -> bool:
    if model.startswith(OFFLINE_PREFIX):
        return False
    examination = find_examination(model, settings)
    is_done = examination is not None and examination.is_done
    return trust_of(model, settings) == "examined" and not is_done


def _check(slot: Slot) -> None:
    if slot.is_revoked:
        raise MemoryYieldsError

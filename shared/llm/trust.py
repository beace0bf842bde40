"""Whether a model's word about facts is taken."""

from __future__ import annotations

from shared.llm.targets import OFFLINE_PREFIX, place_of
from shared.models.site_models import Examination, Trust
from shared.prompts import load_prompt
from shared.settings import Settings


def is_trusted(model: str, settings: Settings) -> bool:
    """Whether facts that the model states are learned, and not suggested.

    The stand-in reads plain sentences alone, by code.
    """
    if model.startswith(OFFLINE_PREFIX):
        return True
    rule = trust_of(model, settings)
    if rule != "examined":
        return rule == "always"
    examination = find_examination(model, settings)
    return examination is not None and examination.has_passed


def trust_of(model: str, settings: Settings) -> Trust:
    """What an operator says of the model on the page, else MEMORY_TRUST."""
    chosen = settings.find_site_model(model)
    return (chosen.config.trust if chosen else None) or settings.memory_trust


def find_examination(model: str, settings: Settings) -> Examination | None:
    """How the model did with the prompt of now. None: it was not examined with it."""
    examination = settings.examinations.get(place_of(model, settings))
    is_of_now = examination and examination.prompt_version == load_prompt("facts").version
    return examination if is_of_now else None

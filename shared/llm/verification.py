"""The second answer of a memory model: which of the doubtful notes it stands by."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.errors import InterruptedWorkError, ThroughlineError
from shared.llm.request import LLM_DEADLINE_S, ChatMessage, ModelRequest
from shared.llm.schemas import VerificationAnswer
from shared.llm.structured_output import ask_once
from shared.llm.targets import environment_model
from shared.models import Usage
from shared.policy.facts.verification import Note, render_notes
from shared.prompts import load_prompt
from shared.settings import Settings

#: Right answers in the probe of a model that is asked a second time. Half of the probe's notes are
#: true, so that a model that confirms all of them has eight.
ENOUGH = 13
#: For each note, and for a model's words around them.
TOKENS_PER_NOTE, TOKENS_AROUND = 40, 100

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What the model says of each note, by its number. `usage` is None if nothing was used."""

    verdicts: Mapping[int, bool] = field(default_factory=dict)
    usage: Usage | None = None


def is_verifier(settings: Settings) -> bool:
    """Whether memory's model has passed the probe. The stand-in never has."""
    return (find_right(settings) or 0) >= ENOUGH


def find_right(settings: Settings) -> int | None:
    """How many notes of the probe memory's model told right. None: it was not asked yet."""
    chosen = settings.find_site_model(settings.effective_memory_model)
    if chosen:
        return chosen.verification_right
    model = environment_model(settings)
    return settings.verifications.get(model) if model else None


def verify(notes: Sequence[Note], settings: Settings) -> Verification:
    """Put all notes to the model in one call, which is not repeated.

    An unusable answer gives no verdict on any note. Raises `InterruptedWorkError` alone.
    """
    if not notes or not is_verifier(settings):
        return Verification()
    try:
        return ask_about(notes, settings.effective_memory_model, settings)
    except InterruptedWorkError:
        raise
    except ThroughlineError as exc:
        logger.info("facts.not_verified", extra={"code": exc.code})
        return Verification()


def ask_about(
    notes: Sequence[Note], model: str, settings: Settings, deadline_s: float = LLM_DEADLINE_S
) -> Verification:
    """Put the notes to the model. An unusable answer has no verdicts.

    Raises what `complete` raises.
    """
    request = ModelRequest(
        deadline_s=deadline_s,
        model=model,
        messages=(
            ChatMessage(role="system", content=load_prompt("verification").text),
            ChatMessage(role="user", content=render_notes(notes)),
        ),
        purpose="facts",
        temperature=0.0,
        max_tokens=settings.memory_max_tokens or TOKENS_AROUND + TOKENS_PER_NOTE * len(notes),
    )
    answer, usage = ask_once(request, VerificationAnswer, settings)
    return Verification(verdicts=answer.verdicts() if answer else {}, usage=usage)

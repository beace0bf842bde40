"""Lets the stand-in do a job if the model cannot process the input."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    ModelOutputError,
    ModelRefusedError,
    RequestNotAcceptedError,
    TransientError,
)
from shared.llm import Completion, ModelRequest, ask_json, complete
from shared.llm.schemas import AnswerForm
from shared.models import Usage
from shared.settings import STAND_IN_MODEL, Settings

Form = TypeVar("Form", bound=AnswerForm)


def is_hopeless(error: Exception, *, attempts: int, failures: int, most: int) -> bool:
    """Whether the job fails because of its input, so that another try cannot help.

    `attempts` counts the attempts of this job, `failures` the failed jobs of its kind in this
    conversation since the last success. `most` is the limit for both. An unreachable server, a
    refused key or a missing model is never the fault of the input.
    """
    if isinstance(error, InputRefusedError | ModelOutputError):
        return True
    if isinstance(error, EmptyAnswerError):
        return attempts >= most
    if isinstance(error, TransientError):
        return False
    if isinstance(error, ModelRefusedError) and not isinstance(error, RequestNotAcceptedError):
        return False
    return failures + 1 >= most


def ask_stand_in(request: ModelRequest, form: type[Form], settings: Settings) -> tuple[Form, Usage]:
    """Ask the stand-in. It reads any length, refuses nothing and needs no network."""
    return ask_json(replace(request, model=STAND_IN_MODEL), form, _without_fallbacks(settings))


def complete_by_stand_in(request: ModelRequest, settings: Settings) -> Completion:
    """Ask the stand-in for plain text."""
    return complete(replace(request, model=STAND_IN_MODEL), _without_fallbacks(settings))


def _without_fallbacks(settings: Settings) -> Settings:
    return settings.model_copy(update={"llm_fallbacks": ()})

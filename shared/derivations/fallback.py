"""The stand-in's own extract, for a job whose input the model cannot process."""

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
    """Whether the job fails because of its input, so that trying again cannot help.

    `attempts` are those of this job. `failures` are the jobs of its kind that have failed in this
    conversation since the last success. `most` is the limit for either. A server that is away, a
    refused key or a missing model is never the input's fault, however often it happens.
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
    """The stand-in reads any length, refuses nothing and needs no network."""
    return ask_json(replace(request, model=STAND_IN_MODEL), form, _without_fallbacks(settings))


def complete_by_stand_in(request: ModelRequest, settings: Settings) -> Completion:
    """The same for plain text."""
    return complete(replace(request, model=STAND_IN_MODEL), _without_fallbacks(settings))


def _without_fallbacks(settings: Settings) -> Settings:
    return settings.model_copy(update={"llm_fallbacks": ()})

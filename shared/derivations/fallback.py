"""When a job stops asking its model, and what is written then: the stand-in's own extract."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import pydantic

from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    ModelOutputError,
    ModelRefusedError,
    RequestNotAcceptedError,
    TransientError,
)
from shared.llm import Completion, ModelRequest, ask_json, complete
from shared.models import Usage
from shared.settings import STAND_IN_MODEL, Settings

Form = TypeVar("Form", bound=pydantic.BaseModel)


def is_hopeless(error: Exception, *, attempts: int, failures: int, most: int) -> bool:
    """Whether this input, and no passing fault or wrong setting, is what the job fails on.

    `attempts` are this job's, `failures` the jobs of its kind that have failed since one was
    completed, and `most` is how many of either are enough. A server that is away, a key that is
    refused or a model that is not there have nothing to do with the input, however often.
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
    """It reads any length, refuses nothing, and needs no network."""
    return ask_json(replace(request, model=STAND_IN_MODEL), form, _alone(settings))


def complete_by_stand_in(request: ModelRequest, settings: Settings) -> Completion:
    """The same for plain text."""
    return complete(replace(request, model=STAND_IN_MODEL), _alone(settings))


def _alone(settings: Settings) -> Settings:
    return settings.model_copy(update={"llm_fallbacks": ()})

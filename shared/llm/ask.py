"""An answer in a given form, asked for at most twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import pydantic

from shared.errors import ModelOutputError, RequestNotAcceptedError
from shared.llm.complete import complete
from shared.llm.json_text import find_objects
from shared.llm.request import ChatMessage, Completion, ModelRequest, Usage
from shared.settings import Settings

AGAIN = "That was not the JSON that was asked for: {problem}. Answer with that JSON object alone."
MAX_QUOTED_CHARS = 4000  # of a broken answer, when it is shown to the model again

Form = TypeVar("Form", bound=pydantic.BaseModel)


def ask_json(request: ModelRequest, form: type[Form], settings: Settings) -> tuple[Form, Usage]:
    """The answer as a `form`, and the tokens of all calls.

    Raises `ModelOutputError`, with the last answer as `raw_text`, when two answers were
    unusable; and what `complete` raises.
    """
    first = _complete_json(request, settings)
    try:
        return parse_answer(first.text, form), _usage(first)
    except ModelOutputError as problem:
        second = _complete_json(_ask_again(request, first.text, problem.message), settings)
    return parse_answer(second.text, form), _usage(first, second)


def parse_answer(text: str, form: type[Form]) -> Form:
    """The first JSON object in `text` that fits `form`; else `ModelOutputError` says why."""
    problem = "it held no JSON object"
    for found in find_objects(text):
        try:
            return form.model_validate(found)
        except pydantic.ValidationError as exc:
            problem = _describe(exc)
    raise ModelOutputError(problem, raw_text=text)


def _complete_json(request: ModelRequest, settings: Settings) -> Completion:
    try:
        return complete(replace(request, json_object=True), settings)
    except RequestNotAcceptedError:
        # Some servers refuse JSON mode as such; the prompt asks for JSON anyway.
        return complete(replace(request, json_object=False), settings)


def _ask_again(request: ModelRequest, answer: str, problem: str) -> ModelRequest:
    more = (
        ChatMessage(role="assistant", content=answer[:MAX_QUOTED_CHARS]),
        ChatMessage(role="user", content=AGAIN.format(problem=problem)),
    )
    return replace(request, messages=request.messages + more)


def _describe(exc: pydantic.ValidationError) -> str:
    """The first error, by place and kind; the offending value is left out."""
    error = exc.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}"


def _usage(*answers: Completion) -> Usage:
    return Usage(
        tokens_in=sum(answer.tokens_in for answer in answers),
        tokens_out=sum(answer.tokens_out for answer in answers),
        model=answers[-1].model,
        calls=len(answers),
    )

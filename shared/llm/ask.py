"""An answer in a given form, asked for at most twice."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TypeVar

import pydantic

from shared.errors import ModelOutputError
from shared.llm.complete import complete
from shared.llm.json_text import find_cut_objects, find_objects
from shared.llm.request import ChatMessage, Completion, ModelRequest
from shared.llm.wire_form import wire_schema
from shared.models import Usage
from shared.settings import Settings

AGAIN = "That was not the JSON that was asked for: {problem}. Answer with that JSON object alone."
CUT = "length"  # the finish reason of an answer that had no more tokens
MAX_QUOTED_CHARS = 4000  # of a broken answer, when it is shown to the model again

Form = TypeVar("Form", bound=pydantic.BaseModel)


def ask_json(request: ModelRequest, form: type[Form], settings: Settings) -> tuple[Form, Usage]:
    """The answer as a `form`, and the tokens of all calls.

    An answer that broke off keeps its finished items. Raises `ModelOutputError`, with the last
    answer as `raw_text`, when two answers were unusable; and what `complete` raises.
    """
    request = replace(request, form=form)
    first = complete(request, settings)
    try:
        return parse_answer(first.text, form, is_cut=first.finish_reason == CUT), _usage(first)
    except ModelOutputError as problem:
        second = complete(_ask_again(request, first.text, problem.message), settings)
    return _best_of(second, first, form), _usage(first, second)


def parse_answer(text: str, form: type[Form], *, is_cut: bool = False) -> Form:
    """The first JSON object in `text` that fits `form`; else `ModelOutputError` says why.

    With `is_cut` also what is finished of an object that is not.
    """
    objects = list(find_objects(text))
    if is_cut:
        objects += [_filled(found, form) for found in find_cut_objects(text)]
    problem = "it held no JSON object"
    for found in objects:
        try:
            return form.model_validate(found)
        except pydantic.ValidationError as exc:
            problem = _describe(exc)
    raise ModelOutputError(problem, raw_text=text)


def _best_of(second: Completion, first: Completion, form: type[Form]) -> Form:
    """The second answer, whole or not, or what is finished of the first."""
    try:
        return parse_answer(second.text, form, is_cut=True)
    except ModelOutputError as problem:
        try:
            return parse_answer(first.text, form, is_cut=True)
        except ModelOutputError:
            raise problem from None


def _filled(found: dict[str, object], form: type[Form]) -> dict[str, object]:
    """A list that was not begun is empty, if anything else that was asked for is there."""
    if not found.keys() & form.model_fields.keys():
        return found
    empty: dict[str, object] = {name: [] for name in _list_fields(form)}
    return empty | found


@functools.cache
def _list_fields(form: type[pydantic.BaseModel]) -> tuple[str, ...]:
    fields = wire_schema(form)["properties"]
    return tuple(name for name, schema in fields.items() if schema.get("type") == "array")


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

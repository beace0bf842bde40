"""Structured output: an answer as a pydantic model, with one repair attempt."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TypeVar

import pydantic

from shared.errors import ModelOutputError
from shared.llm.client import complete
from shared.llm.json_extraction import find_objects, find_truncated_objects
from shared.llm.request import ChatMessage, Completion, ModelRequest
from shared.llm.response_format import strict_schema
from shared.models import Usage
from shared.policy.reasoning import without_reasoning
from shared.settings import Settings

REPAIR_PROMPT = (
    "That was not the JSON that was asked for: {problem}. Answer with that JSON object alone."
)
TRUNCATED = "length"  # the finish reason of an answer that ran out of tokens
MAX_QUOTED_CHARS = 4000  # of the unusable answer, in the repair prompt

Form = TypeVar("Form", bound=pydantic.BaseModel)


def ask_json(request: ModelRequest, form: type[Form], settings: Settings) -> tuple[Form, Usage]:
    """The answer as a `form`, and the token usage of all calls.

    A truncated answer keeps the list items that are complete. Raises `ModelOutputError`, with
    the last answer as `raw_text`, when two answers are unusable, and what `complete` raises.
    """
    request = replace(request, form=form)
    first = complete(request, settings)
    try:
        is_truncated = first.finish_reason == TRUNCATED
        return parse_answer(first.text, form, is_truncated=is_truncated), _usage(first)
    except ModelOutputError as problem:
        second = complete(_repair_request(request, first.text, problem.message), settings)
    return _parse_either(second, first, form), _usage(first, second)


def ask_once(
    request: ModelRequest, form: type[Form], settings: Settings
) -> tuple[Form | None, Usage]:
    """The answer of one call, which is neither repeated nor put to another model.

    None: it is unusable. Raises what `complete` raises.
    """
    once = settings.model_copy(update={"llm_tries": 1, "llm_fallbacks": ()})
    completion = complete(replace(request, form=form), once)
    try:
        answer = parse_answer(completion.text, form, is_truncated=True)
    except ModelOutputError:
        return None, _usage(completion)
    return answer, _usage(completion)


def parse_answer(text: str, form: type[Form], *, is_truncated: bool = False) -> Form:
    """The last JSON object in `text` that is a valid `form`, else `ModelOutputError`.

    What a model thinks aloud, and drafts before its answer, do not count. With `is_truncated`
    the complete parts of an unfinished object are accepted, too.
    """
    answer = without_reasoning(text)
    objects = [*find_objects(answer)][::-1]
    if is_truncated:
        objects += [
            _with_empty_lists(json_object, form) for json_object in find_truncated_objects(answer)
        ]
    problem = "it held no JSON object"
    for json_object in objects:
        try:
            return form.model_validate(json_object)
        except pydantic.ValidationError as exc:
            problem = _describe(exc)
    raise ModelOutputError(problem, raw_text=text)


def _parse_either(second: Completion, first: Completion, form: type[Form]) -> Form:
    """The second answer, or else the complete parts of the first."""
    try:
        return parse_answer(second.text, form, is_truncated=True)
    except ModelOutputError as problem:
        try:
            return parse_answer(first.text, form, is_truncated=True)
        except ModelOutputError:
            raise problem from None


def _with_empty_lists(json_object: dict[str, object], form: type[Form]) -> dict[str, object]:
    """`json_object` with missing lists as empty ones, unless it has no field of `form` at all."""
    if not json_object.keys() & form.model_fields.keys():
        return json_object
    empty: dict[str, object] = {name: [] for name in _list_fields(form)}
    return empty | json_object


@functools.cache
def _list_fields(form: type[pydantic.BaseModel]) -> tuple[str, ...]:
    fields = strict_schema(form)["properties"]
    return tuple(name for name, schema in fields.items() if schema.get("type") == "array")


def _repair_request(request: ModelRequest, answer: str, problem: str) -> ModelRequest:
    more = (
        ChatMessage(role="assistant", content=answer[:MAX_QUOTED_CHARS]),
        ChatMessage(role="user", content=REPAIR_PROMPT.format(problem=problem)),
    )
    return replace(request, messages=request.messages + more)


def _describe(exc: pydantic.ValidationError) -> str:
    """The path and kind of the first error, without the value: it may quote the user."""
    error = exc.errors(include_url=False, include_input=False)[0]
    path = ".".join(str(part) for part in error["loc"])
    return f"{path}: {error['msg']}"


def _usage(*answers: Completion) -> Usage:
    return Usage(
        tokens_in=sum(answer.tokens_in for answer in answers),
        tokens_out=sum(answer.tokens_out for answer in answers),
        model=answers[-1].model,
        calls=len(answers),
    )

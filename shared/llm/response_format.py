"""The `response_format` of a request: a JSON schema, JSON mode, or none (the prompt alone).

Providers differ in what they accept, so the strictest is tried first. Refusals are remembered
for the life of the process.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any, Literal, get_args

import pydantic

from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.request import ModelRequest
from shared.llm.targets import Target

Mode = Literal["schema", "json", "plain"]
MODES: tuple[Mode, ...] = get_args(Mode)

# The keywords of JSON schema that every provider of structured output accepts. Some refuse
# lengths and ranges; the answer is validated against the form itself anyway.
KEYWORDS = frozenset({"type", "enum", "const", "properties", "items", "anyOf"})

_refused: set[tuple[str | None, str, Mode]] = set()


def list_modes(target: Target) -> list[Mode]:
    """The modes to try at `target`, the strictest first; the last is always `plain`."""
    return [mode for mode in MODES if _is_worth_trying(target, mode)]


def remember_refusals(target: Target, modes: Iterable[Mode]) -> None:
    """Do not try `modes` at `target` again. It refused them and accepted a less strict one."""
    _refused.update((target.api_base, target.name, mode) for mode in modes)


def response_format(form: type[pydantic.BaseModel], mode: Mode) -> dict[str, Any] | None:
    """The value of the request's `response_format`; None for `plain`."""
    if mode == "plain":
        return None
    if mode == "json":
        return {"type": "json_object"}
    json_schema = {"name": form.__name__, "strict": True, "schema": strict_schema(form)}
    return {"type": "json_schema", "json_schema": json_schema}


def common_fields(request: ModelRequest, mode: Mode) -> dict[str, Any]:
    """The fields of `request` beside model and messages, under names that all providers share."""
    fields = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "response_format": response_format(request.form, mode) if request.form else None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def strict_schema(form: type[pydantic.BaseModel]) -> dict[str, Any]:
    """The form's JSON schema with every field required and no other field allowed.

    Fields with a default are required, too: small models leave out what is optional. The caller
    may change what it is given.
    """
    schema: dict[str, Any] = json.loads(_strict_json(form))
    return schema


def _is_worth_trying(target: Target, mode: Mode) -> bool:
    if mode == "plain":
        return True
    if (target.api_base, target.name, mode) in _refused:
        return False
    # No list says what the server at LLM_API_BASE accepts, so it is tried. litellm knows the rest.
    if mode == "json" or target.api_base or target.way != "litellm":
        return True
    return bool(load_litellm().supports_response_schema(target.name))


@functools.cache
def _strict_json(form: type[pydantic.BaseModel]) -> str:
    """pydantic takes a millisecond to write a schema."""
    schema = form.model_json_schema()
    return json.dumps(_strict(schema, schema.get("$defs", {})))


def _strict(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """`schema` with references resolved, and only the keywords in `KEYWORDS`."""
    if "$ref" in schema:
        return _strict(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    result = {word: value for word, value in schema.items() if word in KEYWORDS}
    if "items" in result:
        result["items"] = _strict(result["items"], definitions)
    if "anyOf" in result:
        result["anyOf"] = [_strict(inner_schema, definitions) for inner_schema in result["anyOf"]]
    if "properties" in result:
        fields = {
            name: _strict(inner_schema, definitions)
            for name, inner_schema in result["properties"].items()
        }
        result |= {"properties": fields, "required": [*fields], "additionalProperties": False}
    return result

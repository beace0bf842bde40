"""The `response_format` of a request: a JSON schema, JSON mode, or none (the prompt alone).

Providers differ in what they accept, so the strictest that was not refused is used.
"""

from __future__ import annotations

import functools
import json
from typing import Any

import pydantic

from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.targets import Target
from shared.models.request_limits import RequestLimits

# The keywords of JSON schema that every provider of structured output accepts. Some refuse
# lengths and ranges; the answer is validated against the form itself anyway.
KEYWORDS = frozenset({"type", "enum", "const", "properties", "items", "anyOf"})


def choose_format(
    form: type[pydantic.BaseModel], target: Target, limits: RequestLimits
) -> dict[str, Any] | None:
    """The strictest `response_format` that `target` takes. None: the prompt alone asks for JSON."""
    if "json_schema" not in limits.refused and _may_take_schemas(target):
        json_schema = {"name": form.__name__, "strict": True, "schema": strict_schema(form)}
        return {"type": "json_schema", "json_schema": json_schema}
    return None if "json_object" in limits.refused else {"type": "json_object"}


def strict_schema(form: type[pydantic.BaseModel]) -> dict[str, Any]:
    """The form's JSON schema with every field required and no other field allowed.

    Fields with a default are required, too: small models leave out what is optional. The caller
    may change what it is given.
    """
    schema: dict[str, Any] = json.loads(_strict_json(form))
    return schema


def _may_take_schemas(target: Target) -> bool:
    """No list says what the server at an address takes, so it is tried. litellm knows the rest."""
    if target.api_base or target.way != "litellm":
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

"""An answer's form as a provider takes it: a JSON schema, JSON mode, or nothing but the prompt.

Which of these a provider takes is tried from the strictest on. What it has refused is remembered
for as long as this process lives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import pydantic

from shared.llm.library import load_litellm
from shared.llm.targets import Target

Mode = Literal["schema", "json", "plain"]
MODES: tuple[Mode, ...] = get_args(Mode)

# What every provider of structured output understands. Lengths and ranges are left out: some
# refuse them, and what comes back is checked against the form itself.
KEPT_WORDS = frozenset({"type", "enum", "const", "properties", "items", "anyOf"})

_refused: set[tuple[str | None, str, Mode]] = set()


def list_modes(target: Target) -> list[Mode]:
    """The modes to try at `target`, the strictest first. `plain` is always the last."""
    return [mode for mode in MODES if _is_worth_trying(target, mode)]


def remember_refusals(target: Target, modes: Iterable[Mode]) -> None:
    """These were refused, and a plainer one was taken."""
    _refused.update((target.api_base, target.name, mode) for mode in modes)


def response_format(form: type[pydantic.BaseModel], mode: Mode) -> dict[str, Any] | None:
    """The request's `response_format`."""
    if mode == "plain":
        return None
    if mode == "json":
        return {"type": "json_object"}
    named = {"name": form.__name__, "strict": True, "schema": wire_schema(form)}
    return {"type": "json_schema", "json_schema": named}


def wire_schema(form: type[pydantic.BaseModel]) -> dict[str, Any]:
    """The form's JSON schema, in which every field is required and no other is allowed.

    A field with a default is required as well: small models leave out what they may.
    """
    schema = form.model_json_schema()
    return _strict(schema, schema.get("$defs", {}))


def _is_worth_trying(target: Target, mode: Mode) -> bool:
    if mode == "plain":
        return True
    if (target.api_base, target.name, mode) in _refused:
        return False
    # What a server of one's own can do is in no list: it is asked.
    if mode == "json" or target.api_base:
        return True
    return bool(load_litellm().supports_response_schema(target.name))


def _strict(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """`schema` without references, and of its words those that are `KEPT_WORDS`."""
    if "$ref" in schema:
        return _strict(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    kept = {word: value for word, value in schema.items() if word in KEPT_WORDS}
    if "items" in kept:
        kept["items"] = _strict(kept["items"], definitions)
    if "anyOf" in kept:
        kept["anyOf"] = [_strict(one, definitions) for one in kept["anyOf"]]
    if "properties" in kept:
        fields = {name: _strict(one, definitions) for name, one in kept["properties"].items()}
        kept |= {"properties": fields, "required": [*fields], "additionalProperties": False}
    return kept

"""Servers of OpenAI's protocol as `profiles.toml` describes them: what each refuses and sends."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from tests.fakes.openai_json import make_chunk

_FILE = Path(__file__).parent / "profiles.toml"


class Refusal(NamedTuple):
    status: int
    body: Any


class Profile:
    """One server. Its events are the JSON of a stream, in order."""

    def __init__(self, name: str, table: Mapping[str, Any]) -> None:
        self.name = name
        self._table = table
        self.window: int = table["window"]
        self.usage_place: str = table["usage"]
        self.comments: str = table["comments"]
        self.is_done: bool = table["is_done"]

    def refuse(self, body: Mapping[str, Any]) -> Refusal | None:
        """What the server says to a request that it does not take. None: it takes it."""
        refusals = [
            *(refusal for rule in self._table["refuses"] if (refusal := _refuse(rule, body))),
            *self._refuse_unknown(body),
            *self._refuse_turns(body["messages"]),
            *self._refuse_bare_calls(body["messages"]),
        ]
        return next(iter(refusals), None)

    def refuse_length(self, limit: int, prompt_tokens: int, message: str) -> Refusal:
        return _fill_refusal(
            self._table["too_long"], limit=limit, asked=prompt_tokens, message=message
        )

    def error(self, message: str) -> Any:
        return _fill(self._table["error"], {"message": message})

    def broken(self, message: str) -> Any:
        return _fill(self._table["broken"], {"message": message})

    def begin(self) -> list[dict[str, Any]]:
        first = [self._chunk(self._table["begins"])] if "begins" in self._table else []
        return [*self._table["before"], *first]

    def think(self, pieces: Sequence[str]) -> Iterator[dict[str, Any]]:
        for piece in filter(None, (self._table["opens"], *pieces, self._table["closes"])):
            yield self._chunk(self._table["thinking"], piece=piece)

    def write(self, piece: str) -> dict[str, Any]:
        return self._chunk(self._table["text"], piece=piece)

    def call(self, index: int, call: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        arguments = call["function"].get("arguments", "")
        half = len(arguments) // 2
        places = {
            "call": {"index": index, **call},
            "index": index,
            "id": call.get("id"),
            "name": call["function"].get("name"),
            "arguments": arguments,
            "head": arguments[:half],
            "tail": arguments[half:],
        }
        for delta in self._table["calls"]:
            yield self._chunk(delta, **places)

    def end(self, reason: str, usage: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        chunk = self._chunk({}, finish_reason=self._table["ends"].get(reason, reason))
        if self.usage_place == "last":
            yield {**chunk, "usage": usage}
            return
        yield chunk

    def _chunk(
        self, delta: Mapping[str, Any], finish_reason: str | None = None, **places: Any
    ) -> dict[str, Any]:
        chunk = make_chunk(_fill(delta, places), finish_reason)
        choice = {**chunk["choices"][0], **_fill(self._table["choice"], {})}
        return {**chunk, "choices": [choice], **_fill(self._table["chunk"], {})}

    def _refuse_unknown(self, body: Mapping[str, Any]) -> Iterator[Refusal]:
        for field in body if self._table["fields"] else ():
            if field not in self._table["fields"]:
                yield _fill_refusal(self._table["unknown"], field=field, value=str(body[field]))

    def _refuse_turns(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[Refusal]:
        turns = [
            message["role"]
            for message in messages
            if message["role"] in {"user", "assistant"} and not message.get("tool_calls")
        ]
        in_turn = all(role == ("user", "assistant")[at % 2] for at, role in enumerate(turns))
        if "alternates" in self._table and not in_turn:
            yield _fill_refusal(self._table["alternates"])

    def _refuse_bare_calls(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[Refusal]:
        name = self._table["returns"]
        calls = [call for message in messages for call in message.get("tool_calls") or ()]
        if name and not all(name in call for call in calls):
            yield Refusal(400, self.error(f"Function call is missing its {name}."))


def _refuse(rule: Mapping[str, Any], body: Mapping[str, Any]) -> Refusal | None:
    if role := rule.get("role"):
        roles = [message["role"] for message in body["messages"]]
        return _fill_refusal(rule, role=role) if role in roles else None
    value = body.get(rule["field"])
    value = value.get("type") if isinstance(value, dict) and "accepts" in rule else value
    if value is None or value in rule.get("accepts", ()):
        return None
    return _fill_refusal(rule, field=rule["field"], value=value)


def _fill_refusal(rule: Mapping[str, Any], **places: Any) -> Refusal:
    return Refusal(rule["status"], _fill(rule["body"], places))


def _fill(form: Any, places: Mapping[str, Any]) -> Any:
    """Put the values in their places. A text that is a place alone becomes the value itself."""
    if isinstance(form, dict):
        return {name: _fill(value, places) for name, value in form.items()}
    if isinstance(form, list):
        return [_fill(value, places) for value in form]
    if not isinstance(form, str) or "$" not in form:
        return form
    alone = {"$null": None, **{f"${name}": value for name, value in places.items()}}
    return alone[form] if form in alone else Template(form).safe_substitute(places)


_TABLES = tomllib.loads(_FILE.read_text(encoding="utf-8"))
#: By name. `plain` refuses nothing.
PROFILES = {name: Profile(name, {**_TABLES["plain"], **table}) for name, table in _TABLES.items()}
PLAIN = PROFILES["plain"]

"""Reads OpenAI's chunks, in all the forms that servers give them.

A field of another type than all of these counts as absent.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from shared.llm.chunks import Chunk, Form, Usage, read_count
from shared.llm.finish_reasons import NOT_YET
from shared.llm.tool_calls import CallPiece

# The first one that says something counts: some servers send the same under two names.
REASONING_FIELDS = (
    "reasoning_content", "reasoning", "reasoning_text", "thinking", "thinking_content", "thought",
    "reasoning_details", "thinking_blocks",
)  # fmt: skip
#: Where the text of a part may stand.
TEXT_FIELDS = ("text", "thinking", "reasoning", "summary", "content", "value")
THINKING_TYPES = frozenset({"thinking", "reasoning", "thought", "reasoning_text", "summary_text"})
MAX_DEPTH = 5  # of parts within parts
#: Where the arguments of a call may stand.
ARGUMENT_FIELDS = ("arguments", "parameters", "input", "args")
KNOWN_OF_CALL = frozenset({"index", "id", "type", "function", "name", *ARGUMENT_FIELDS})
MAX_WORD_CHARS = 200


class _Content(NamedTuple):
    text: str
    reasoning: str = ""
    refusal: str = ""


def read_chunk(event: dict[str, Any]) -> Chunk:
    """Read one event: a chunk of a stream, or a whole answer."""
    choice = first_choice(event)
    chunk = _read_message(_dict(choice.get("delta")))
    if chunk.is_empty and isinstance(choice.get("message"), dict):
        repeats = "delta" in choice or event.get("object") == "chat.completion"
        form: Form = "whole" if repeats else "message"
        chunk = replace(_read_message(choice["message"]), form=form)
    usage = event.get("usage") or choice.get("usage") or _dict(event.get("x_groq")).get("usage")
    return replace(
        chunk,
        text=chunk.text or _text(choice.get("text")),
        usage=_read_usage(usage) if usage and isinstance(usage, dict) else None,
        finish_reason=_read_word(choice.get("finish_reason") or choice.get("stop_reason")),
    )


def first_choice(event: dict[str, Any]) -> dict[str, Any]:
    """The choice with the number 0, else the first one in the list."""
    choices = [choice for choice in _parts(event.get("choices")) if isinstance(choice, dict)]
    return next((choice for choice in choices if not choice.get("index")), next(iter(choices), {}))


def _read_message(message: dict[str, Any]) -> Chunk:
    content = _read_content(message.get("content") or message.get("text"))
    reasoning = (_part_text(message.get(name)) for name in REASONING_FIELDS)
    calls = message.get("tool_calls") or _legacy_calls(message.get("function_call"))
    return Chunk(
        text=content.text,
        reasoning=next(filter(None, reasoning), "") + content.reasoning,
        refusal=_text(message.get("refusal")) + content.refusal,
        calls=[_read_call(call) for call in _parts(calls) if isinstance(call, dict)],
    )


def _legacy_calls(call: object) -> list[dict[str, Any]]:
    return [{"function": call}] if call and isinstance(call, dict) else []


def _read_call(call: dict[str, Any]) -> CallPiece:
    function = _dict(call.get("function")) or call
    more = {name: value for name, value in call.items() if name not in KNOWN_OF_CALL}
    function_more = {
        name: value
        for name, value in _dict(call.get("function")).items()
        if name not in KNOWN_OF_CALL
    }
    return CallPiece(
        index=_read_index(call.get("index")),
        id=_read_id(call.get("id")),
        name=_text(function.get("name")),
        arguments=next(
            filter(None, (_read_arguments(function.get(name)) for name in ARGUMENT_FIELDS)), ""
        ),
        more={name: value for name, value in more.items() if value is not None},
        function_more={name: value for name, value in function_more.items() if value is not None},
    )


def _read_index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 9:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _read_id(value: object) -> str:
    return str(value) if type(value) is int else _text(value)


def _read_arguments(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else _text(value)


def _read_usage(usage: dict[str, Any]) -> Usage:
    details = _dict(usage.get("prompt_tokens_details"))
    cached = (
        details.get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),  # DeepSeek
        usage.get("cached_tokens"),  # Moonshot
    )
    return Usage(
        tokens_in=read_count(usage.get("prompt_tokens") or usage.get("input_tokens")),
        tokens_out=read_count(usage.get("completion_tokens") or usage.get("output_tokens")),
        tokens_cached=next(filter(None, map(read_count, cached)), 0),
    )


def _read_word(value: object) -> str | None:
    """SGLang's own reason is an object that has a type."""
    if isinstance(value, dict):
        value = value.get("type")
    word = _text(value).strip()[:MAX_WORD_CHARS]
    return None if word.lower() in NOT_YET else word


def _read_content(value: object) -> _Content:
    """Text, or parts of several kinds, as Mistral's models write it."""
    if isinstance(value, str):
        return _Content(value)
    texts, thoughts, refusals = [], [], []
    for part in _parts(value):
        kind = _text(_dict(part).get("type"))
        if kind == "refusal":
            refusals.append(_text(_dict(part).get("refusal")) or _part_text(part))
        elif kind in THINKING_TYPES:
            thoughts.append(_part_text(part))
        elif not kind or kind.endswith("text"):
            texts.append(_part_text(part))
    return _Content("".join(texts), "".join(thoughts), "".join(refusals))


def _part_text(value: object, depth: int = 0) -> str:
    """The text of a part, or of several."""
    if isinstance(value, str) or depth > MAX_DEPTH:
        return _text(value)
    if isinstance(value, list):
        return "".join(_part_text(part, depth + 1) for part in value)
    if not isinstance(value, dict):
        return ""
    texts = (_part_text(value[name], depth + 1) for name in TEXT_FIELDS if name in value)
    return next(filter(None, texts), "")


def _parts(value: object) -> list[Any]:
    return [value] if isinstance(value, dict) else _list(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []

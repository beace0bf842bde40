"""Reads OpenAI's chunks. A field of another type than the protocol's counts as absent."""

from __future__ import annotations

from typing import Any

from shared.llm.chunks import CallPiece, Chunk, Usage, read_count


def read_chunk(event: dict[str, Any]) -> Chunk:
    """Read one event: a chunk of a stream, or a whole answer."""
    choice = _dict(next(iter(_list(event.get("choices"))), None))
    delta = _dict(choice.get("delta") or choice.get("message"))
    calls = _list(delta.get("tool_calls"))
    usage = _dict(event.get("usage"))
    return Chunk(
        text=_content(delta.get("content")),
        # OpenRouter and newer servers of vLLM leave out the second half of the name.
        reasoning=_text(delta.get("reasoning_content") or delta.get("reasoning")),
        refusal=_text(delta.get("refusal")),
        calls=[_read_call(_dict(call), place) for place, call in enumerate(calls)],
        usage=_read_usage(usage) if usage else None,
        finish_reason=_text(choice.get("finish_reason")) or None,
    )


def _read_call(call: dict[str, Any], place: int) -> CallPiece:
    """`place` is the index of a call that has none, as in a whole answer."""
    index, function = call.get("index"), _dict(call.get("function"))
    return CallPiece(
        index=index if isinstance(index, int) else place,
        id=_text(call.get("id")),
        name=_text(function.get("name")),
        arguments=_text(function.get("arguments")),
    )


def _read_usage(usage: dict[str, Any]) -> Usage:
    return Usage(
        tokens_in=read_count(usage.get("prompt_tokens")),
        tokens_out=read_count(usage.get("completion_tokens")),
        tokens_cached=read_count(_dict(usage.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _content(value: object) -> str:
    """Text, or the text parts of a list, as models of Mistral's write it."""
    if isinstance(value, list):
        return "".join(_text(_dict(part).get("text")) for part in value)
    return _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []

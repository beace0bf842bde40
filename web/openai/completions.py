"""Answers to `/v1/chat/completions` in OpenAI's form: whole, and in chunks."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shared.models import Outcome
from shared.rounds.followers import Progress
from web.errors import STATUS_OF_CODE
from web.openai.errors import error_json, outcome_error
from web.streaming.sse import PING, PING_S

DONE = "data: [DONE]\n\n"
RESTARTING = "The server is restarting. Please send the request again."
FINISH_REASONS = {"stop": "stop", "length": "length", "content_filter": "content_filter"}


@dataclass(frozen=True, kw_only=True)
class Head:
    """What every chunk of an answer repeats."""

    completion_id: str
    created: int
    model: str

    def chunk(self, choices: list[dict[str, Any]], **more: object) -> str:
        return sse(
            {
                "id": self.completion_id,
                "object": "chat.completion.chunk",
                "created": self.created,
                "model": self.model,
                "choices": choices,
                **more,
            }
        )


def completion_json(head: Head, outcome: Outcome) -> dict[str, object]:
    choice = {
        "index": 0,
        "message": {"refusal": None, **outcome.message},
        "logprobs": None,
        "finish_reason": finish_reason(outcome),
    }
    return {
        "id": head.completion_id,
        "object": "chat.completion",
        "created": head.created,
        "model": outcome.model or head.model,
        "choices": [choice],
        "usage": usage_json(outcome),
    }


def finish_reason(outcome: Outcome) -> str:
    if outcome.extras.get("tool_calls"):
        return "tool_calls"
    return FINISH_REASONS.get(outcome.finish_reason or "stop", "stop")


def usage_json(outcome: Outcome) -> dict[str, object]:
    """The usage in OpenAI's form: zeros if the provider reports none, as for a stopped reply."""
    return {
        "prompt_tokens": outcome.tokens_in,
        "prompt_tokens_details": {"cached_tokens": outcome.tokens_cached},
        "completion_tokens": outcome.tokens_out,
        "total_tokens": outcome.tokens_in + outcome.tokens_out,
    }


async def write_chunks(
    head: Head, progress: AsyncIterator[Progress], *, include_usage: bool
) -> AsyncGenerator[str, None]:
    """An error in the middle ends the stream with an event of its own, and without `[DONE]`."""
    none: dict[str, object] = {"usage": None} if include_usage else {}

    def write_text(text: str) -> str:
        return head.chunk([_choice({"content": text})], **none)

    def write_end(outcome: Outcome) -> Iterator[str]:
        if outcome.extras:
            yield head.chunk([_choice(_delta(outcome.extras))], **none)
        yield head.chunk([_choice({}, finish_reason(outcome))], **none)
        if include_usage:
            yield head.chunk([], usage=usage_json(outcome))

    yield head.chunk([_choice({"role": "assistant", "content": ""})], **none)
    async for event in write_events(progress, write_text, write_end):
        yield event


async def write_events(
    progress: AsyncIterator[Progress],
    write_text: Callable[[str], str],
    write_end: Callable[[Outcome], Iterator[str]],
) -> AsyncGenerator[str, None]:
    """The events of a stream: the pieces of text, pings between them, then the end or an error."""
    sent_at, outcome = time.monotonic(), None
    async for step in progress:
        if text := step.appended_text:
            yield write_text(text)
            sent_at = time.monotonic()
        outcome = step.outcome
        if outcome is None and time.monotonic() - sent_at >= PING_S:
            yield PING
            sent_at = time.monotonic()
    if outcome is None:
        yield sse({"error": error_json(503, "unavailable", RESTARTING)})
    elif outcome.error is not None:
        yield sse({"error": error_json(*outcome_error(outcome, STATUS_OF_CODE))})
    else:
        for event in write_end(outcome):
            yield event
        yield DONE


def _delta(extras: Mapping[str, Any]) -> dict[str, Any]:
    """Tools' calls come whole, in one chunk."""
    calls = extras.get("tool_calls")
    if not calls:
        return dict(extras)
    return {**extras, "tool_calls": [{"index": at, **call} for at, call in enumerate(calls)]}


def _choice(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}


def sse(data: object) -> str:
    """One event of a stream."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"

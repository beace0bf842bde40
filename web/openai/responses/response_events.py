"""Streams of the Responses API: typed events, numbered from 0."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from itertools import count
from typing import Any

from shared.models import Outcome
from shared.rounds.followers import Progress
from web.openai.completions import RESTARTING
from web.openai.responses.response_answers import (
    ResponseHead,
    call_item,
    list_items,
    message_item,
    response_json,
    status_of,
    text_part,
)
from web.streaming.sse import PING, PING_S

RESTARTED = Outcome(status="failed", content="", error=RESTARTING, error_code="unavailable")


class ResponseEvents:
    """Makes the events of one response, in their order."""

    def __init__(self, head: ResponseHead) -> None:
        self._head = head
        self._numbers = count()
        self._has_text = False
        self._place = {"item_id": head.message_id, "output_index": 0, "content_index": 0}

    def begin(self) -> Iterator[str]:
        response = response_json(self._head, None)
        yield self._event("response.created", response=response)
        yield self._event("response.in_progress", response=response)

    def add_text(self, text: str) -> Iterator[str]:
        if not self._has_text:
            self._has_text = True
            item = message_item(self._head, None)
            yield self._event("response.output_item.added", output_index=0, item=item)
            part = text_part("")
            yield self._event("response.content_part.added", **self._place, part=part)
        yield self._event("response.output_text.delta", **self._place, delta=text, logprobs=[])

    def end(self, outcome: Outcome) -> Iterator[str]:
        if self._has_text:
            yield from self._end_text(outcome.content)
        elif outcome.is_refusal:
            yield from self._refuse(outcome)
        calls = outcome.extras.get("tool_calls") or ()
        for place, call in enumerate(calls):
            yield from self._call(place, place + self._has_text, call)
        response = response_json(self._head, outcome)
        yield self._event(f"response.{status_of(outcome)}", response=response)

    def _end_text(self, text: str) -> Iterator[str]:
        yield self._event("response.output_text.done", **self._place, text=text, logprobs=[])
        yield self._event("response.content_part.done", **self._place, part=text_part(text))
        item = message_item(self._head, text)
        yield self._event("response.output_item.done", output_index=0, item=item)

    def _refuse(self, outcome: Outcome) -> Iterator[str]:
        text, item = outcome.content, list_items(self._head, outcome)[0]
        begun = item | {"status": "in_progress", "content": []}
        yield self._event("response.output_item.added", output_index=0, item=begun)
        yield self._event("response.refusal.delta", **self._place, delta=text)
        yield self._event("response.refusal.done", **self._place, refusal=text)
        yield self._event("response.output_item.done", output_index=0, item=item)

    def _call(self, place: int, index: int, call: dict[str, Any]) -> Iterator[str]:
        item = call_item(self._head, place, call)
        begun = item | {"status": "in_progress", "arguments": ""}
        item_place = {"item_id": item["id"], "output_index": index}
        arguments = item["arguments"]
        yield self._event("response.output_item.added", output_index=index, item=begun)
        yield self._event("response.function_call_arguments.delta", **item_place, delta=arguments)
        yield self._event(
            "response.function_call_arguments.done",
            **item_place,
            name=item["name"],
            arguments=arguments,
        )
        yield self._event("response.output_item.done", output_index=index, item=item)

    def _event(self, name: str, /, **data: Any) -> str:
        body = {"type": name, "sequence_number": next(self._numbers), **data}
        return f"event: {name}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"


async def write_response_events(
    head: ResponseHead, progress: AsyncIterator[Progress]
) -> AsyncGenerator[str, None]:
    events = ResponseEvents(head)
    outcome, sent_at = None, time.monotonic()
    for event in events.begin():
        yield event
    async for step in progress:
        outcome = step.outcome
        if text := step.appended_text:
            for event in events.add_text(text):
                yield event
            sent_at = time.monotonic()
        elif outcome is None and time.monotonic() - sent_at >= PING_S:
            yield PING
            sent_at = time.monotonic()
    for event in events.end(outcome or RESTARTED):
        yield event

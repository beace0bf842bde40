"""Server-sent events: `meta`, `reasoning` …, `delta` …, and `done` or `error`.

An event's id is `{attempt}-{offset}`: the name of the attempt at the reply, and how many characters
of it were sent. A client that reconnects sends the last id as `Last-Event-ID`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping

from flask import Request, Response

from shared.errors import InvalidRequestError
from shared.models import Outcome
from shared.policy.reasoning import reasoning_ms
from shared.policy.trace import count_remembered, is_refusal
from shared.rounds.followers import Position, Progress
from web.streaming.streams import EventStream

#: For the API's document.
DESCRIPTION = """Server-sent events. `meta` comes first: conversation_id, user_sequence, sequence,
model, provider, offset. It comes once more, with the offset 0, where the text so far turns out to
be what the model thinks: reasoning and text then begin anew. Each `reasoning` has the next piece
of what the model thinks (`text`), and for how long it has thought (`ms`): it is no part of the
reply, and every connection sends it from its beginning. Each `delta` has the next piece of `text`.
The last event is `done` (status, finish_reason, model, provider, content, remembered,
reasoning_ms, is_refusal) or `error` (code, message, status, finish_reason, content, remembered,
reasoning_ms, is_refusal). Lines that begin with a colon keep the connection open. An event's `id`
is sent as `Last-Event-ID` to read on after a lost connection."""
PING_S = 5.0
PING = ": ping\n\n"
_EVENT_ID = re.compile(r"([0-9a-f]{1,18})-(\d{1,9})")


def read_position(request: Request, argument: str | None) -> Position | None:
    """Read the position from the header `Last-Event-ID`, or from the argument of that name."""
    text = request.headers.get("Last-Event-ID") or argument
    if not text:
        return None
    match = _EVENT_ID.fullmatch(text)
    if match is None:
        raise InvalidRequestError("Last-Event-ID: not an id of ours.")
    return Position(attempt=match[1], offset=int(match[2]))


async def write_events(
    meta: dict[str, object],
    attempt: str,
    offset: int,
    progress: AsyncIterator[Progress],
    provider_of: Callable[[Outcome], str | None],
) -> AsyncGenerator[str, None]:
    """Write the events of a reply from `offset` on. At 0 a client drops the text that it has."""
    yield _event("meta", {**meta, "offset": offset}, attempt, offset)
    sent_at = time.monotonic()
    async for step in progress:
        if step.begins_anew:
            yield _event("meta", {**meta, "offset": 0}, attempt, step.offset - len(step.text))
        if step.reasoning:
            thought = {"text": step.reasoning, "ms": step.reasoning_ms}
            yield _event("reasoning", thought, attempt, step.offset - len(step.text))
            sent_at = time.monotonic()
        if step.text:
            yield _event("delta", {"text": step.text}, attempt, step.offset)
            sent_at = time.monotonic()
        if step.outcome is not None:
            yield _last_event(step.outcome, provider_of(step.outcome), attempt, step.offset)
        elif time.monotonic() - sent_at >= PING_S:
            yield PING  # writing also shows when a client has left
            sent_at = time.monotonic()


def stream_response(
    events: AsyncGenerator[str, None], conversation_id: str | None, on_close: Callable[[], None]
) -> Response:
    """Make a response of events. `on_close` is called once, when the client has all or has left."""
    headers = {"X-Conversation-Id": conversation_id} if conversation_id else {}
    return Response(
        EventStream(events, on_close),
        direct_passthrough=True,
        mimetype="text/event-stream",
        headers={**headers, "X-Accel-Buffering": "no"},
    )


def _last_event(outcome: Outcome, provider: str | None, attempt: str, offset: int) -> str:
    beside = {
        "remembered": count_remembered(outcome.trace),
        "reasoning_ms": reasoning_ms(outcome.trace),
        "is_refusal": is_refusal(outcome.trace),
    }
    if outcome.error is not None:
        data = {
            "code": outcome.error_code,
            "message": outcome.error,
            "status": outcome.status,
            "finish_reason": outcome.finish_reason,
            "content": outcome.content,
            **beside,
        }
        return _event("error", data, attempt, offset)
    data = {
        "status": outcome.status,
        "finish_reason": outcome.finish_reason,
        "model": outcome.model,
        "provider": provider,
        "content": outcome.content,
        **beside,
    }
    return _event("done", data, attempt, offset)


def _event(name: str, data: Mapping[str, object], attempt: str, at: int) -> str:
    return f"id: {attempt}-{at}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"

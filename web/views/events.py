"""The user's events as they happen, as server-sent events."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import ExitStack, aclosing
from datetime import UTC, datetime

from flask import Blueprint, Request, Response, g, request
from pydantic import Field

from shared.ephemeral.news import Change, JobChange
from shared.errors import InvalidRequestError
from shared.events.feed import PORTION
from shared.events.follower import Follower
from shared.events.payloads import Payload
from web.api.operation import operation
from web.process.context import web_context
from web.requests.callers import needs
from web.requests.queries import MAX_ID, Flag, Query
from web.streaming.streams import EventStream

blueprint = Blueprint("events", __name__, url_prefix="/events")

PING_S = 15.0
PING = ": ping\n\n"
CHANGED = "conversation.changed"
JOB_CHANGED = "job.changed"
WAIT_S = 0.5  # the interval at which a waiting stream checks whether the process stops


#: For the API's document.
DESCRIPTION = """Server-sent events. `ready` comes first, then an event for each thing that happens.
Lines that begin with a colon keep the connection open. An event's `id` is sent as `Last-Event-ID`
to read on after a lost connection. `conversation.changed` and `job.changed` have none, and are not
sent again: after a lost connection read what you show once more."""


class EventsQuery(Query):
    last_event_id: str | None = Field(
        default=None, pattern=r"^[0-9]{0,18}$", description="As the header `Last-Event-ID`."
    )
    wait: Flag = Field(
        default=True, description="`false` ends the stream after what has happened already."
    )


@blueprint.get("")
@needs("memory:read")
@operation(other_types={"text/event-stream": DESCRIPTION})
def follow_events(query: EventsQuery) -> Response:
    """Stream the events after `Last-Event-ID`, or those from now on.

    `wait=false` ends the stream after what has happened already. So does a portion of missed events
    that is full: the client comes back for the next.
    """
    last_id = _read_last_id(request, query.last_event_id)
    feed = web_context().feed
    with ExitStack() as slot:
        slot.enter_context(web_context().limits.followers.slot(g.user_id))
        follower = feed.follow(g.user_id)
        slot.callback(feed.leave, follower)
        newest_id = feed.find_newest_id(g.user_id)
        last_id = newest_id if last_id is None else min(last_id, newest_id)
        missed = feed.read_after(g.user_id, last_id)
        events = _write_events(last_id, missed)
        if query.wait and len(missed) < PORTION:
            feed.begin(follower, missed[-1].event_id if missed else last_id)
            leaving, name = web_context().stream_ends(), web_context().attempt_names.name
            events = _join(events, _write_live(follower, leaving, name))
        return Response(
            EventStream(events, slot.pop_all().close),
            direct_passthrough=True,
            mimetype="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )


async def _write_events(last_id: int, missed: Sequence[Payload]) -> AsyncGenerator[str, None]:
    yield _event("ready", {}, last_id)
    for payload in missed:
        yield _event(str(payload.type), payload.body, payload.event_id)


async def _write_live(
    follower: Follower, leaving: Callable[[], bool], name: Callable[[int], str]
) -> AsyncGenerator[str, None]:
    sent_at = time.monotonic()
    while not (leaving() or follower.is_overrun):
        for payload in follower.take():
            yield _event(str(payload.type), payload.body, payload.event_id)
            sent_at = time.monotonic()
        for change in follower.take_changes():
            yield _change(change, name)
            sent_at = time.monotonic()
        if time.monotonic() - sent_at >= PING_S:
            yield PING  # writing also shows when a client has left
            sent_at = time.monotonic()
        await follower.wait(WAIT_S)


async def _join(*parts: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    for part in parts:
        async with aclosing(part):
            async for event in part:
                yield event


def _event(name: str, data: Mapping[str, object], event_id: int) -> str:
    return f"id: {event_id}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _change(change: Change | JobChange, name: Callable[[int], str]) -> str:
    if isinstance(change, JobChange):
        job = {"kind": change.kind, "running": change.is_running}
        return _unkept(JOB_CHANGED, {"conversation_id": change.conversation_id, **job})
    data = {
        "conversation_id": change.conversation_id,
        "sequence": change.sequence,
        "attempt": None if change.fencing_token is None else name(change.fencing_token),
    }
    return _unkept(CHANGED, data)


def _unkept(name: str, data: Mapping[str, object]) -> str:
    """Write an event that has no id, because it is not sent again."""
    body = {"type": name, "timestamp": datetime.now(UTC).isoformat(), "data": data}
    return f"event: {name}\ndata: {json.dumps(body)}\n\n"


def _read_last_id(request: Request, argument: str | None) -> int | None:
    """From the header `Last-Event-ID`, or the argument of that name."""
    text = request.headers.get("Last-Event-ID") or argument
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ID))):
        raise InvalidRequestError("Last-Event-ID: not an id of ours.")
    if int(text) > MAX_ID:
        raise InvalidRequestError("Last-Event-ID: not an id of ours.")
    return int(text)

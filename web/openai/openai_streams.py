"""Streams of replies in OpenAI's form."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack

from flask import Response

from shared.rounds.followers import Progress, follow_reply
from web.openai.rounds import Reply, early_outcome, failed_response
from web.process.context import web_context
from web.streaming.streams import EventStream

Write = Callable[[AsyncGenerator[Progress, None]], AsyncGenerator[str, None]]


def stream_reply(reply: Reply, slot: ExitStack, write: Write) -> Response:
    """`write` puts each step of the reply into events. `slot` is released at the end.

    A reply that fails before its first word is answered with the status of its fault.
    """
    early = early_outcome(reply)
    if early is not None and early.error is not None:
        return failed_response(early)
    context = web_context()
    progress = follow_reply(reply.live, 0, context.stream_ends(), context.pause_s)
    return Response(
        EventStream(write(progress), slot.pop_all().close),
        direct_passthrough=True,
        mimetype="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )

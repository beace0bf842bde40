"""Streams of events in OpenAI's form."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from flask import Response

from web.streaming.streams import EventStream


def openai_stream(events: AsyncGenerator[str, None], on_close: Callable[[], None]) -> Response:
    """`on_close` is called once, when the client has everything or has left."""
    return Response(
        EventStream(events, on_close),
        direct_passthrough=True,
        mimetype="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )

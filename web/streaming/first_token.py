"""How long people wait for the first piece of a reply."""

from __future__ import annotations

import time

from flask import request

from shared.metrics.counters import FIRST_TOKEN_S
from shared.rounds.live_reply import LiveReply

#: In a request's environ: when the whole request had arrived, in seconds of the monotonic clock.
ARRIVED_AT = "throughline.arrived_at"


def observe_first_token(live: LiveReply) -> None:
    """Measure the time from this request to the reply's first new text, if there is any."""
    arrived_at = request.environ.get(ARRIVED_AT, time.monotonic())

    def observe() -> None:
        if live.read_after(live.start).text:
            FIRST_TOKEN_S.observe(time.monotonic() - arrived_at)

    live.call_on_news(live.start, observe)

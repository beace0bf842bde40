"""Sends the pieces of a reply to all readers: here at once, elsewhere through a log in Redis."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Protocol

from shared.policy.reasoning import RETRACTION
from shared.rounds.live_reply import LiveReply
from shared.timing import Steps

JOIN_S = 0.03  # the pieces of so long a time are joined for the log
STOP_CHECK_S = 0.5  # the interval of stop checks while the log has all pieces


class Log(Protocol):
    """The used part of `ReplyLog`."""

    char_count: int

    def catch_up(self, text: str) -> bool: ...

    def stop_asked(self) -> bool: ...


def broadcast(pieces: Iterable[str | None], live: LiveReply, log: Log, steps: Steps) -> None:
    """Send `pieces` until they end, somebody asks to stop, or the lease is lost.

    A piece of None is a sign of life without text; at a `RETRACTION` the text begins anew.
    """
    began_at = checked_at = time.monotonic()
    for piece in pieces:
        now = time.monotonic()
        if piece:
            if "first_token" not in steps.taken_ms:
                steps.taken_ms["first_token"] = round((now - began_at) * 1000, 2)
            if piece == RETRACTION:
                live.retract()
            else:
                live.append(piece)
        is_behind = len(live.history) > log.char_count
        if now - checked_at >= (JOIN_S if is_behind else STOP_CHECK_S):
            checked_at = now
            if log.catch_up(live.history) if is_behind else log.stop_asked():
                live.stop_asked.set()
        if live.lease_lost.is_set():
            live.interrupt()
        if live.stop_asked.is_set():
            break
    if len(live.history) > log.char_count:
        log.catch_up(live.history)

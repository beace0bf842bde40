"""One client that follows its user's events."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress

from shared.ephemeral.news import Change, JobChange
from shared.events.payloads import Payload
from shared.models import UserId

MOST_WAITING = 1000  # events; a client that reads so slowly has to come back later


class Follower:
    """The feed's thread gives it events; the event loop takes them."""

    def __init__(self, user_id: UserId) -> None:
        self.user_id = user_id
        #: Events with ids up to this one are not given.
        self.seen_id = 0
        self._waiting: list[Payload] = []
        self._changes: dict[Change | JobChange, None] = {}
        self._woken: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._lock = threading.Lock()

    @property
    def is_overrun(self) -> bool:
        return len(self._waiting) > MOST_WAITING

    def give(self, payloads: Sequence[Payload]) -> None:
        with self._lock:
            if not self.is_overrun:
                self._waiting += payloads
        self._wake()

    def tell(self, change: Change | JobChange) -> None:
        with self._lock:
            if len(self._changes) < MOST_WAITING:
                self._changes[change] = None
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            woken = self._woken
        if woken is not None:
            loop, event = woken
            with suppress(RuntimeError):  # the loop ended before the feed
                loop.call_soon_threadsafe(event.set)

    def take(self) -> list[Payload]:
        """The new events, in order, each once."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        new = [payload for payload in waiting if payload.event_id > self.seen_id]
        if new:
            self.seen_id = new[-1].event_id
        return new

    def take_changes(self) -> list[Change | JobChange]:
        """What has changed since the last call, each once."""
        with self._lock:
            changes, self._changes = list(self._changes), {}
        return changes

    async def wait(self, timeout_s: float) -> None:
        """Wait for events, at most `timeout_s`."""
        event = asyncio.Event()
        with self._lock:
            if self._waiting or self._changes:
                return
            self._woken = (asyncio.get_running_loop(), event)
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await event.wait()

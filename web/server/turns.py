"""Whose request is worked on next: nobody waits behind sixty requests of somebody else.

Threads share one interpreter, so that who has more requests in work has more of the processor. So
each user has few in work at a time, beside others one, and further ones wait for their turn in the
event loop, which costs nothing. Whose queue is long pauses between two of them. `python -m
bench.load.loops` shows what that does. Who is not known yet is counted by the network that the
request came from: a user is known by what was accepted before, such as a session or a token.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable

from flask import Request

from shared.settings import Settings
from web.requests.client_address import client_network
from web.server.environ import Environ

#: The user as whom a request was accepted, in its environ.
USER = "throughline.user"
AT_ONCE = 2
BESIDE_OTHERS = 1
# With more than so many waiting, as no page and no program of one user has them, the next one waits
# so many times as long as the last one took, while others come.
LONG_QUEUE = 16
PAUSES = 2
RECENT_S = 1.0  # others come, when one has come so lately
# A request that takes longer waits for a model or a database, and leaves its turn to the next one.
# What may wait at the same time has limits of its own.
TURN_S = 0.25
SHOWN = ("HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_X_FORWARDED_USER")
MAX_KNOWN = 10_000


class Turn:
    """The permission of one request to be worked on. It ends once, at the latest after `TURN_S`."""

    def __init__(self, turns: Turns, key: Hashable) -> None:
        self._turns, self._key = turns, key
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer = self._loop.call_later(TURN_S, self.end)
        self._is_over = False

    def end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._timer.cancel()
            if self._turns.is_pausing(self._key):
                duration_s = self._loop.time() - self._began
                self._loop.call_later(PAUSES * duration_s, self._turns.pass_on, self._key)
            else:
                self._turns.pass_on(self._key)


class Turns:
    """The turns of one event loop. Call all methods in that loop's thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._in_work: Counter[Hashable] = Counter()
        self._queues: dict[Hashable, deque[asyncio.Future[None]]] = {}
        self._users: OrderedDict[int, str] = OrderedDict()  # by what was shown
        #: The last sender and the last other one, with the times of their last requests.
        self._newest: tuple[Hashable, float] = (None, -RECENT_S)
        self._other: tuple[Hashable, float] = self._newest

    async def begin(self, environ: Environ) -> Turn:
        """Wait for a turn of whoever sends the request."""
        key = self._key_of(environ)
        self._note(key)
        if self._in_work[key] < self._share(key):
            self._in_work[key] += 1
            return Turn(self, key)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(key, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:  # its client has left
            if turn.done() and not turn.cancelled():
                self.pass_on(key)
            raise
        return Turn(self, key)

    def pass_on(self, key: Hashable) -> None:
        """A turn is over: the next requests of the same sender have it, as far as others allow."""
        self._in_work[key] -= 1
        queue = self._queues.get(key, deque())
        while queue and self._in_work[key] < self._share(key):
            if not (following := queue.popleft()).done():
                self._in_work[key] += 1
                following.set_result(None)
        if not queue:
            self._queues.pop(key, None)
        if not self._in_work[key]:
            del self._in_work[key]

    def is_pausing(self, key: Hashable) -> bool:
        return len(self._queues.get(key, ())) > LONG_QUEUE and self._has_others(key)

    def _share(self, key: Hashable) -> int:
        """How many requests of this sender may be in work now."""
        return BESIDE_OTHERS if self._has_others(key) else AT_ONCE

    def _has_others(self, key: Hashable) -> bool:
        """Whether others have sent a request lately, or have one in work."""
        other, at = self._other if self._newest[0] == key else self._newest
        is_recent = other is not None and asyncio.get_running_loop().time() - at < RECENT_S
        return is_recent or len(self._in_work) > (key in self._in_work)

    def _note(self, key: Hashable) -> None:
        """Note who has come."""
        if self._newest[0] != key:
            self._other = self._newest
        self._newest = key, asyncio.get_running_loop().time()

    def remember(self, environ: Environ) -> None:
        """Note the user of this session or token, so that later requests with it count by user."""
        if user := environ.get(USER):
            credentials = _shown(environ)
            self._users[credentials] = user
            self._users.move_to_end(credentials)
            if len(self._users) > MAX_KNOWN:
                self._users.popitem(last=False)

    def _key_of(self, environ: Environ) -> Hashable:
        user = self._users.get(_shown(environ))
        if user is not None:
            return "user", user
        return "network", client_network(Request(environ), self._settings)


def _shown(environ: Environ) -> int:
    return hash(tuple(environ.get(name, "") for name in SHOWN))

"""The live events of users who follow them here. One thread reads for all followers of a process.

A stream in Redis says who has news. Postgres has the events, and is asked at intervals, too, so
that followers miss nothing when Redis is away or was emptied.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Sequence

from shared.ephemeral.news import Change, JobChange, read_news
from shared.errors import ThroughlineError
from shared.events.follower import Follower
from shared.events.payloads import Payload, write_payloads
from shared.models import UserId
from shared.services import Services
from shared.store import events

logger = logging.getLogger(__name__)

BLOCK_MS = 500  # for one read of Redis
POLL_S = 10.0  # the interval at which Postgres is asked about everybody
POLL_WITHOUT_REDIS_S = 1.0
PORTION = 200  # events in one read


class EventFeed:
    """Gives events to the followers of this process. Its thread runs while there are any."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._followers: defaultdict[UserId, set[Follower]] = defaultdict(set)
        #: The id of the newest event that was read for a user. Missing: `begin` was not called yet.
        self._read_until: dict[UserId, int] = {}
        self._due: set[UserId] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def follow(self, user_id: UserId) -> Follower:
        """Register a follower. Then read the events so far, and call `begin`; later `leave`."""
        follower = Follower(user_id)
        with self._lock:
            self._followers[user_id].add(follower)
        return follower

    def begin(self, follower: Follower, newest_id: int) -> None:
        """Begin to give a follower the events after `newest_id`."""
        follower.seen_id = newest_id
        with self._lock:
            self._read_until.setdefault(follower.user_id, newest_id)
            self._due.add(follower.user_id)  # some may have come since it was read
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="events", daemon=True)
                thread.start()
                self._thread = thread

    def leave(self, follower: Follower) -> None:
        with self._lock:
            followers = self._followers[follower.user_id]
            followers.discard(follower)
            if not followers:
                del self._followers[follower.user_id]
                self._read_until.pop(follower.user_id, None)

    def read_after(self, user_id: UserId, event_id: int) -> list[Payload]:
        """The next events after `event_id`, at most `PORTION`."""
        with self._services.database.transaction(user=user_id) as connection:
            new_events = events.list_events(connection, user_id, event_id, PORTION)
            return write_payloads(connection, user_id, new_events, with_text=True)

    def find_newest_id(self, user_id: UserId) -> int:
        with self._services.database.transaction(user=user_id) as connection:
            return events.find_newest_id(connection, user_id)

    def _run(self) -> None:
        position: str | None = None  # in the stream of news
        polled_at = time.monotonic()
        while self._is_followed():
            try:
                news = read_news(self._services.redis, position, BLOCK_MS)
                if news is None:
                    time.sleep(POLL_WITHOUT_REDIS_S)
                position = news.position if news else None
                polls = news is None or time.monotonic() - polled_at >= POLL_S
                if polls:
                    polled_at = time.monotonic()
                self._hand_out_changes(news.changes if news else ())
                self._read(news.users if news else frozenset(), everybody=polls)
            except Exception:
                logger.exception("events.not_read")
                time.sleep(POLL_WITHOUT_REDIS_S)

    def _is_followed(self) -> bool:
        """False ends the thread; the next follower starts another."""
        with self._lock:
            if not self._followers:
                self._thread = None
            return bool(self._followers)

    def _hand_out_changes(self, changes: Sequence[Change | JobChange]) -> None:
        for change in changes:
            with self._lock:
                followers = list(self._followers.get(change.user_id, ()))
            for follower in followers:
                follower.tell(change)

    def _read(self, with_news: frozenset[UserId], *, everybody: bool) -> None:
        """Give new events to their users' followers. After a fault the next poll does it."""
        with self._lock:
            due, self._due = self._due | with_news, set()
            positions = {u: n for u, n in self._read_until.items() if everybody or u in due}
        for user_id, read_until in positions.items():
            try:
                payloads = self.read_after(user_id, read_until)
            except ThroughlineError:
                with self._lock:
                    self._due |= set(positions)
                return
            if payloads:
                self._hand_out(user_id, payloads)

    def _hand_out(self, user_id: UserId, payloads: list[Payload]) -> None:
        with self._lock:
            if user_id in self._read_until:
                self._read_until[user_id] = payloads[-1].event_id
            if len(payloads) == PORTION:
                self._due.add(user_id)
            followers = list(self._followers.get(user_id, ()))
        for follower in followers:
            follower.give(payloads)

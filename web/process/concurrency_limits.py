"""Limits of concurrent work in this process, for one user and for all. Rounds have their own.

Streams are also limited for each user over all processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shared.models import UserId
from shared.rounds.limits import ConcurrencyLimit
from shared.services import Services
from web.server.connection_limit import MAX_CONNECTIONS

# Shares of the connections to Postgres. Rounds need the others.
SEARCHES_SHARE = 2
SEARCHES_PER_USER_SHARE = 4
EXPORTS_SHARE = 4  # each keeps its connection for long
EXPORTS_PER_USER_SHARE = 8
SHARED_PAGES_SHARE = 4  # asked for by anybody
# Share of the threads. An import keeps one while its file arrives.
IMPORTS_SHARE = 8
MAX_IMPORTS_PER_USER = 4
# Files that arrive and are read (`shared/attachments/reader_queue.py`).
UPLOADS = 4
UPLOADS_PER_USER = 2


class FollowerLimit:
    """`max_followers_per_user` in all processes; in this one also when Redis is away."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        self._here = ConcurrencyLimit(
            MAX_CONNECTIONS,
            settings.max_followers_per_user,
            what="streams are being followed",
        )
        self._everywhere = services.follower_slots

    @property
    def in_use(self) -> int:
        """The streams of this process."""
        return self._here.in_use

    @contextmanager
    def slot(self, user_id: UserId) -> Iterator[None]:
        """Raises `TooManyAtOnceError` (429) or `BusyError` (503)."""
        with self._here.slot(user_id), self._everywhere.slot(user_id):
            yield

    def count(self, user_id: UserId) -> int:
        """The user's streams in all processes; in this one if Redis is away."""
        everywhere = self._everywhere.count(user_id)
        return self._here.count(user_id) if everywhere is None else everywhere


class ConcurrencyLimits:
    """One limit for each kind of work; a slot is held for as long as the work lasts."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        connections = settings.db_pool_size
        self.followers = FollowerLimit(services)
        # Messages that were sent again. Each waits in a thread, as the first sending does.
        self.waiting = ConcurrencyLimit(
            settings.max_live_rounds,
            settings.max_live_rounds_per_user,
            what="replies are being waited for",
        )
        imports = max(1, settings.web_threads // IMPORTS_SHARE)
        self.imports = ConcurrencyLimit(
            imports,
            min(MAX_IMPORTS_PER_USER, max(1, imports // 2)),
            what="imports are being read",
        )
        self.uploads = ConcurrencyLimit(UPLOADS, UPLOADS_PER_USER, what="files are being read")
        self.exports = ConcurrencyLimit(
            max(1, connections // EXPORTS_SHARE),
            max(1, connections // EXPORTS_PER_USER_SHARE),
            what="exports are being written",
        )
        self.searches = ConcurrencyLimit(
            max(1, connections // SEARCHES_SHARE),
            max(1, connections // SEARCHES_PER_USER_SHARE),
            what="searches are running",
        )
        # Of the user who shares.
        self.shared_pages = ConcurrencyLimit(
            max(1, connections // SHARED_PAGES_SHARE),
            max(1, connections // SHARED_PAGES_SHARE),
            what="shared chats are being read",
        )

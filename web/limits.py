"""Limits of concurrent work in this process, for one user and for all. Rounds have their own."""

from __future__ import annotations

from shared.rounds.limits import ConcurrencyLimit
from shared.settings import Settings

# Shares of the connections to Postgres. Rounds need the others.
SEARCHES_SHARE = 2
SEARCHES_PER_USER_SHARE = 4
EXPORTS_SHARE = 4  # each keeps its connection for long
EXPORTS_PER_USER_SHARE = 8
# Share of the threads. An import keeps one while its file arrives.
IMPORTS_SHARE = 8


class ConcurrencyLimits:
    """One limit for each kind of work; a slot is held for as long as the work lasts."""

    def __init__(self, settings: Settings) -> None:
        connections = settings.db_pool_size
        self.followers = ConcurrencyLimit(
            settings.max_connections,
            settings.max_followers_per_user,
            what="streams are being followed",
        )
        # Messages that were sent again. Each waits in a thread, as the first sending does.
        self.waiting = ConcurrencyLimit(
            settings.max_live_rounds,
            settings.max_live_rounds_per_user,
            what="replies are being waited for",
        )
        self.imports = ConcurrencyLimit(
            max(1, settings.web_threads // IMPORTS_SHARE),
            settings.max_imports_per_user,
            what="imports are being read",
        )
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

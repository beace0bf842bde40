"""What one user may do at once in this process, and all users together, besides rounds."""

from __future__ import annotations

from shared.rounds.limits import ConcurrencyLimit
from shared.settings import Settings

# Shares of the connections to Postgres that exports may hold, for long: all, and one user's.
EXPORTS_SHARE = 4
EXPORTS_OF_USER_SHARE = 8
# A share of the threads: an import holds one while its file comes.
IMPORTS_SHARE = 8


class Places:
    """Each is taken for as long as the work lasts."""

    def __init__(self, settings: Settings) -> None:
        rounds, own_rounds = settings.max_live_rounds, settings.max_live_rounds_per_user
        connections = settings.db_pool_size
        self.followers = ConcurrencyLimit(
            settings.max_connections,
            settings.max_followers_per_user,
            what="streams are being followed",
        )
        # Whole replies that were asked for again: each waits in a thread, as the first asking does.
        self.waiting = ConcurrencyLimit(rounds, own_rounds, what="replies are being waited for")
        self.imports = ConcurrencyLimit(
            max(1, settings.web_threads // IMPORTS_SHARE),
            settings.max_imports_per_user,
            what="imports are being read",
        )
        self.exports = ConcurrencyLimit(
            max(1, connections // EXPORTS_SHARE),
            max(1, connections // EXPORTS_OF_USER_SHARE),
            what="exports are being written",
        )

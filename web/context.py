"""What the views work with: this process's services and rounds."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from flask import current_app

from shared.embeddings import QueryEncoder
from shared.rounds.limits import ConcurrencyLimit
from shared.rounds.mirrors import ReplyMirrors
from shared.rounds.runner import RoundRunner
from shared.services import Services
from web.places import Places

# With many followers pieces are joined for longer, so that a process sends 1,000 a second at most:
# at 3,000 the event loop does nothing else (`python -m bench.followers`).
JOIN_S = 0.03
JOIN_PER_FOLLOWER_S = 0.001
# Shares of the connections to Postgres that searches may hold: all together, and one user's.
SEARCHES_SHARE = 2
SEARCHES_OF_USER_SHARE = 4


@dataclass(frozen=True)
class WebContext:
    """`local_token` is asked of everybody, where there is one.

    `leaving` is set when the process has been asked to stop: streams then say goodbye.

    `warm` is set once nothing slow is left that a first reply would have to wait for.
    """

    services: Services
    runner: RoundRunner
    encoder: QueryEncoder
    searches: ConcurrencyLimit
    places: Places
    mirrors: ReplyMirrors
    local_token: str | None
    leaving: threading.Event = field(default_factory=threading.Event)
    warm: threading.Event = field(default_factory=threading.Event)

    def pause_s(self) -> float:
        """Between two pieces of a reply for one follower."""
        return max(JOIN_S, self.places.followers.taken * JOIN_PER_FOLLOWER_S)


def limit_searches(connections: int) -> ConcurrencyLimit:
    """`connections` is how many to Postgres this process may have: rounds need some, too."""
    in_all = max(1, connections // SEARCHES_SHARE)
    of_user = max(1, connections // SEARCHES_OF_USER_SHARE)
    return ConcurrencyLimit(in_all, of_user, what="searches are running")


def web_context() -> WebContext:
    context: WebContext = current_app.extensions["throughline"]
    return context

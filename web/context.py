"""What the views work with: this process's services and rounds."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from flask import current_app

from shared.embeddings import QueryEncoder
from shared.limits import ConcurrencyLimit
from shared.rounds.running import RoundRunner
from shared.services import Services

# Imports and exports at a time: each holds a thread, and an export a connection, for long.
TRANSFERS = 4
# Shares of the connections to Postgres that searches may hold: all together, and one user's.
SEARCHES_SHARE = 2
SEARCHES_OF_USER_SHARE = 4


@dataclass(frozen=True)
class WebContext:
    """`leaving` is set when the process has been asked to stop: streams then say goodbye.

    `warm` is set once nothing slow is left that a first reply would have to wait for.
    """

    services: Services
    runner: RoundRunner
    encoder: QueryEncoder
    searches: ConcurrencyLimit
    leaving: threading.Event = field(default_factory=threading.Event)
    warm: threading.Event = field(default_factory=threading.Event)
    transfers: threading.Semaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(TRANSFERS)
    )


def limit_searches(connections: int) -> ConcurrencyLimit:
    """`connections` is how many to Postgres this process may have: rounds need some, too."""
    in_all = max(1, connections // SEARCHES_SHARE)
    of_user = max(1, connections // SEARCHES_OF_USER_SHARE)
    return ConcurrencyLimit(in_all, of_user, what="searches are running")


def web_context() -> WebContext:
    context: WebContext = current_app.extensions["throughline"]
    return context

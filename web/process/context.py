"""The objects that the views use: this process's services, rounds and limits."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import current_app, g

from shared.db import PgConnection
from shared.embeddings.query_encoder import QueryEncoder
from shared.events.feed import EventFeed
from shared.policy.facts.secret_patterns import SecretPattern
from shared.rounds.mirrors import ReplyMirrors
from shared.rounds.runner import RoundRunner
from shared.services import Services
from web.operations.backlog import Backlog
from web.operations.doctor_runs import DoctorRuns
from web.operations.readiness import ReadinessCheck
from web.process.concurrency_limits import ConcurrencyLimits
from web.process.noted_reads import NotedReads
from web.streaming.attempt_names import AttemptNames
from web.streaming.open_streams import OpenStreams

if TYPE_CHECKING:
    from shared.ephemeral.attempts import Attempts

# A follower waits this long between two pieces of a reply. With many followers it waits longer, so
# that a process sends 1,000 pieces a second at most: at 3,000 the event loop does nothing else
# (`python -m bench.load.followers`).
JOIN_S = 0.03
JOIN_PER_FOLLOWER_S = 0.001


@dataclass(frozen=True)
class WebContext:
    """The objects of one process. They are made once."""

    services: Services
    runner: RoundRunner
    encoder: QueryEncoder
    limits: ConcurrencyLimits
    open_streams: OpenStreams
    mirrors: ReplyMirrors
    feed: EventFeed
    backlog: Backlog
    attempt_names: AttemptNames
    readiness: ReadinessCheck
    doctor_runs: DoctorRuns
    #: The token that every request must show. None: no token is needed.
    local_token: str | None
    #: Reads that are in the audit log already.
    noted_reads: NotedReads = field(default_factory=NotedReads)
    #: Set when the process has been asked to stop: streams then end.
    leaving: threading.Event = field(default_factory=threading.Event)
    #: Set when everything slow is loaded, so that a first reply does not wait for it.
    warm: threading.Event = field(default_factory=threading.Event)

    @functools.cached_property
    def attempts(self) -> Attempts:
        """The counters of attempts. Their library is loaded where something is counted."""
        from shared.ephemeral.attempts import Attempts

        return Attempts(self.services.redis)

    def pause_s(self) -> float:
        """The pause between two pieces of a reply for one follower."""
        return max(JOIN_S, self.limits.followers.in_use * JOIN_PER_FOLLOWER_S)

    def stream_ends(self) -> Callable[[], bool]:
        """A function that says whether this request's stream has to end.

        A stream ends with the process, or when its caller loses access.
        """
        stream = self.open_streams.watch(g.caller)
        return lambda: self.leaving.is_set() or stream.is_over


def web_context() -> WebContext:
    context: WebContext = current_app.extensions["throughline"]
    return context


def own_secrets() -> SecretPattern:
    """What the operator calls a secret."""
    return web_context().services.settings.own_secrets


def transaction() -> AbstractContextManager[PgConnection]:
    """Begin a transaction for the user of the request."""
    return web_context().services.database.transaction(user=g.get("user_id"))

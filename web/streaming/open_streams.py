"""Streams that are open: each ends soon after the session or the API token that opened it.

A request is checked when it comes, but a stream goes on for minutes. One thread of the process asks
the database about all of its streams at once.
"""

from __future__ import annotations

import threading
from weakref import WeakSet

from shared.ephemeral.admission.periodic_thread import PeriodicThread
from shared.services import Services
from shared.store import tokens
from shared.store.accounts import people, sessions
from web.requests.callers import Caller

CHECK_EVERY_S = 5.0


class OpenStream:
    """A stream, and the session or API token that it was opened by."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        #: What it was opened with counts no more.
        self.is_over = False


class OpenStreams:
    """The streams of this process that a session or an API token has opened."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._open: WeakSet[OpenStream] = WeakSet()
        self._lock = threading.Lock()
        self._checks = PeriodicThread("open-streams", CHECK_EVERY_S, self.check)

    def watch(self, caller: Caller) -> OpenStream:
        """Watch a stream for as long as somebody refers to it.

        Without a session or a token, as on a local site, nothing can end the stream.
        """
        stream = OpenStream(caller)
        if caller.session_hash is not None or caller.token_id is not None:
            with self._lock:
                self._open.add(stream)
            self._checks.ensure_started()
        return stream

    def check(self) -> None:
        """Mark the streams that have to end. While the database is away, no stream has to."""
        with self._lock:
            streams = [*self._open]
        if not streams:
            return
        good = self._find_good([stream.caller for stream in streams])
        for stream in streams:
            stream.is_over = stream.caller not in good

    def _find_good(self, callers: list[Caller]) -> set[Caller]:
        """Those whose session or token still counts."""
        token_ids = [caller.token_id for caller in callers if caller.token_id is not None]
        hashes = [caller.session_hash for caller in callers if caller.session_hash is not None]
        with self._services.database.upkeep() as connection:
            good_tokens = tokens.list_good(connection, token_ids)
        with self._services.database.transaction() as connection:
            good_sessions = sessions.list_good(connection, hashes)
            disabled = people.list_disabled(connection, [caller.user_id for caller in callers])
        return {
            caller
            for caller in callers
            if caller.user_id not in disabled
            and (caller.token_id in good_tokens or caller.session_hash in good_sessions)
        }

    def stop(self) -> None:
        self._checks.stop()

"""gunicorn's ASGI worker, with time-outs for its connections, and Flask behind it."""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
from contextlib import suppress
from typing import Any

from gunicorn.workers.gasgi import ASGIWorker

from shared.settings.start_gate import find_start_gate
from web.process.context import WebContext
from web.server.bridge import FlaskBridge
from web.server.connection import Connection
from web.server.connection_limit import ClientLimits, ConnectionLimit

REQUESTS_S = 5.0  # for requests that are handled when it is to stop
STOP_POLL_S = 0.2  # how often it checks whether it is to stop
GATE_POLL_S = 0.01  # until the databases are ready
OTHER_FILES = 256  # open files besides clients: the database, Redis, models, modules
ACCEPTED_AT_ONCE = 100  # few, so that new clients do not delay connected ones


class WebWorker(ASGIWorker):  # type: ignore[misc]
    """One web process: Flask's threads, and one event loop for all connections."""

    limits = ClientLimits()
    alive: bool
    asgi: Any
    connection_limit: ConnectionLimit
    context: WebContext

    def load_wsgi(self) -> None:
        super().load_wsgi()
        with suppress(OSError):
            tempfile.gettempdir()  # it is looked for once, and cannot be chosen on a full disk
        self.wsgi = self.asgi  # Flask's application; the bridge stands before it
        self.context = self.wsgi.extensions["throughline"]
        settings = self.context.services.settings
        self.asgi = FlaskBridge(self.wsgi, settings, self.limits.body_s)
        self.connection_limit = ConnectionLimit(_connection_limit(self.limits.connections))
        self.gate = find_start_gate()

    async def _serve(self) -> None:
        """Runs until it is told to stop, or until the process that started it is gone."""
        while self._is_wanted() and not (self.gate is None or self.gate.exists()):
            self.notify()
            await asyncio.sleep(GATE_POLL_S)
        for listener in self.sockets:
            server = await self.loop.create_server(
                lambda: Connection(self), sock=listener.sock, backlog=ACCEPTED_AT_ONCE
            )
            listener.sock.listen(self.cfg.backlog)  # `create_server` has shortened the queue
            self.servers.append(server)
        while self._is_wanted():
            self.notify()
            await asyncio.sleep(STOP_POLL_S)
        self.alive = False
        await self._shutdown()

    def _is_wanted(self) -> bool:
        return self.alive and self.ppid == os.getppid()

    async def _shutdown(self) -> None:
        """End the streams, drop idle connections, and let requests finish for a while."""
        self.context.leaving.set()
        for server in self.servers:
            server.close()
        deadline = self.loop.time() + REQUESTS_S
        while self.nr_conns and self.loop.time() < deadline and not self._quick_shutdown:
            self.connection_limit.drop_idle()
            self.notify()
            await asyncio.sleep(STOP_POLL_S / 4)


def _connection_limit(connections: int) -> int:
    """`connections`, or as many as the limit of open files allows. Raises that limit if it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = connections if soft == resource.RLIM_INFINITY else soft - OTHER_FILES
    return max(1, min(connections, allowed))

"""A web process that loses its patience soon, for tests of slow and silent clients."""

from __future__ import annotations

from web.server.connection_limit import ClientLimits
from web.server.worker import WebWorker

CONNECTIONS = 400
PATIENCE_S = 2


class ImpatientWorker(WebWorker):
    limits = ClientLimits(
        connections=CONNECTIONS, header_s=PATIENCE_S, body_s=PATIENCE_S, write_s=PATIENCE_S
    )


IMPATIENT_WORKER = f"{ImpatientWorker.__module__}.{ImpatientWorker.__name__}"

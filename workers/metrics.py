"""The address at which a worker or beat serves its metrics (METRICS_ADDRESS)."""

from __future__ import annotations

import logging

from prometheus_client import start_http_server

from shared.metrics.exporter import find_counters
from shared.settings import Settings

logger = logging.getLogger(__name__)


def serve_metrics(settings: Settings) -> None:
    """Serve metrics in a thread. If the port cannot be opened, log that and go on."""
    if settings.metrics_address is None:
        return
    host, port = settings.metrics_address
    try:
        start_http_server(port, host, find_counters())
    except OSError as exc:
        fields = {"port": port, "error": exc}
        logger.error("metrics.not_served", extra=fields)  # noqa: TRY400 - its stack says no more

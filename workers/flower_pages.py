"""Flower's metrics behind its password, as its other pages are. Flower itself leaves them open."""

from __future__ import annotations

from typing import Any

import tornado.web
from flower import urls
from flower.views.monitor import Metrics

METRICS = r"/metrics"


class LockedMetrics(Metrics):  # type: ignore[misc]
    """Answers a request for metrics, or 401 if it does not show the password."""

    @tornado.web.authenticated
    async def get(self) -> None:
        await super().get()


def lock_metrics() -> None:
    """Call it before Flower is started."""
    urls.handlers[:] = [_lock(handler) for handler in urls.handlers]


def _lock(handler: Any) -> Any:
    """A handler is a tuple, or tornado's `URLSpec`."""
    is_metrics = isinstance(handler, tuple) and handler[0] == METRICS
    return (METRICS, LockedMetrics) if is_metrics else handler

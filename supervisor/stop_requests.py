"""Ctrl-C and the signals that mean the same."""

from __future__ import annotations

import signal
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):  # noqa: N818 - it is a wish, not an error
    """Somebody asked us to stop."""


class StopRequests:
    """Counts them: one is a wish, two are an order."""

    def __init__(self) -> None:
        self.count = 0
        for number in _SIGNALS:
            signal.signal(number, self._add)

    def check(self) -> None:
        if self.count:
            raise StopRequested

    def _add(self, number: int, frame: FrameType | None) -> None:
        self.count += 1

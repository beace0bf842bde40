"""Count the signals that ask to stop: Ctrl-C, SIGTERM, SIGHUP."""

from __future__ import annotations

import signal
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):  # noqa: N818 - it is no error
    """Somebody asked us to stop."""


class StopRequests:
    """The first one asks to stop, the second one to hurry."""

    def __init__(self) -> None:
        self.count = 0
        for number in _SIGNALS:
            signal.signal(number, self._add)

    def check(self) -> None:
        if self.count:
            raise StopRequested

    def _add(self, number: int, frame: FrameType | None) -> None:
        self.count += 1

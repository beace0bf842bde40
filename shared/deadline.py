"""When a piece of work must be over: one end for all its steps, however many there are."""

from __future__ import annotations

import time
from collections.abc import Callable


class Deadline:
    """`seconds` from now; `clock` counts seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends_at = clock() + seconds

    def left_ms(self) -> int:
        """0 once it has passed."""
        return max(0, int((self._ends_at - self._clock()) * 1000))

    def sooner(self, seconds: float) -> Deadline:
        """A part of the work: `seconds` from now, and never later than the whole."""
        return Deadline(min(seconds, self.left_ms() / 1000), self._clock)

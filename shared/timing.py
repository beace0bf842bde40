"""Time: a deadline that all steps of a piece of work share, and how long each step took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.tracing import span


class Deadline:
    """It passes `seconds` from now, by a `clock` that counts seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends_at = clock() + seconds

    def left_ms(self) -> int:
        """How much time is left; 0 once it has passed."""
        return max(0, int((self._ends_at - self._clock()) * 1000))

    def sooner(self, seconds: float) -> Deadline:
        """The deadline of a part of the work: `seconds` from now, but no later than this one."""
        return Deadline(min(seconds, self.left_ms() / 1000), self._clock)


@dataclass
class Steps:
    #: How long each step took, by its name.
    taken_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            with span(f"step {name}", {}):
                yield
        finally:
            self.taken_ms[name] = round((time.perf_counter() - began) * 1000, 2)

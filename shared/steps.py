"""Time the steps of a reply, for its trace."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Steps:
    #: How long each step took, by its name.
    taken_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.taken_ms[name] = round((time.perf_counter() - began) * 1000, 2)

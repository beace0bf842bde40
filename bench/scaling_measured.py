"""What `bench.scaling` has written, by the names of its figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bench.report import Figure

COUNTS = (1, 2, 4, 8)


@dataclass(frozen=True)
class Measured:
    figures: Iterable[Figure]

    def value(self, name: str) -> float:
        for figure in self.figures:
            if figure.name == name:
                return figure.value
        raise SystemExit(f"bench.scaling has not measured: {name}")

    def worker(self, processes: int, name: str) -> float:
        return self.value(f"{processes} worker-llm: {name}")

    def web(self, processes: int, name: str) -> float:
        return self.value(f"WEB_CONCURRENCY={processes}: {name}")

    def worker_counts(self) -> list[int]:
        """The numbers of worker-llm that were measured."""
        return self._counts("{} worker-llm: jobs a second")

    def web_counts(self) -> list[int]:
        return self._counts("WEB_CONCURRENCY={}: rounds a second")

    def _counts(self, pattern: str) -> list[int]:
        names = {figure.name for figure in self.figures}
        found = [count for count in COUNTS if pattern.format(count) in names]
        if not found:
            raise SystemExit(f"bench.scaling has not measured: {pattern.format(1)}")
        return found

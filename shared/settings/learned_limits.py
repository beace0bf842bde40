"""What this process knows of the requests that models' servers refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared.models.request_limits import ModelPlace, RequestLimits

Store = Callable[[ModelPlace, RequestLimits], None]
NO_LIMITS = RequestLimits()


class LearnedLimits:
    """All copies of one process's settings share it. `store` tells the other processes."""

    def __init__(self, store: Store = lambda place, limits: None) -> None:
        self._store = store
        self._limits: Mapping[ModelPlace, RequestLimits] = {}
        #: How often this process has learned something.
        self.version = 0

    def at(self, place: ModelPlace) -> RequestLimits:
        return self._limits.get(place, NO_LIMITS)

    def learn(self, place: ModelPlace, limits: RequestLimits) -> None:
        if limits != self.at(place):
            self._store(place, limits)  # first, so that whoever reads it anew reads this, too
            self._limits = {**self._limits, place: limits}
            self.version += 1

    def replace(self, limits: Mapping[ModelPlace, RequestLimits], version: int) -> None:
        """Know these alone, which were read since `version`; if that is past, they are not new."""
        if version == self.version:
            self._limits = limits

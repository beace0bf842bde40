"""The forms in which facts pass through these rules, from the model's proposal to a candidate."""

from __future__ import annotations

from typing import Protocol

from shared.models import Category


class Claimed(Protocol):
    """A value under a category and a key: proposed by a model, or on record."""

    @property
    def category(self) -> Category: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


class Proposed(Claimed, Protocol):
    """A fact as the model gives it. `seq`: the message that states it, as the model says."""

    @property
    def confidence(self) -> float: ...
    @property
    def importance(self) -> float: ...
    @property
    def seq(self) -> int: ...
    @property
    def retracts(self) -> bool: ...

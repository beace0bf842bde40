"""A fact on its way from the model's proposal to a candidate, and what may become of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from shared.models import Category

#: Why a clause that contains a value does not state it of the user.
Objection = Literal["ended", "negated", "misplaced", "someone_else", "hypothetical", "question"]
#: How a clause bears on a value. `stated` is a fact, `doubtful` waits for the user to confirm it.
Stance = Literal["stated", "doubtful"] | Objection
#: Why a proposal is refused. It is the label of a metric, so it must contain no text.
Refusal = Literal["ungrounded", "quoted", "play"] | Objection

BEST_FIRST: tuple[Stance, ...] = (
    "stated", "doubtful", "ended", "negated", "misplaced", "someone_else", "hypothetical",
    "question",
)  # fmt: skip


class Claimed(Protocol):
    """A value under a category and a key: proposed by a model, or on record."""

    @property
    def category(self) -> Category: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


class Proposed(Claimed, Protocol):
    """A fact as the model gives it."""

    @property
    def confidence(self) -> float: ...
    @property
    def importance(self) -> float: ...
    @property
    def seq(self) -> int:
        """The sequence number of the message that states it, as the model says."""

    @property
    def retracts(self) -> bool:
        """It is no longer true."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A proposed fact under its right category; after screening `seq` is right, too."""

    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What becomes of a proposal."""

    proposal: Proposal
    outcome: Literal["stated", "doubtful"] | Refusal

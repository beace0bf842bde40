"""The proposal of a fact by the model, and the possible results of its check."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from shared.models import Category

#: Whose a fact is, by the model's word. `nobody`: it is a text's or an example's.
Owner = Literal["user", "other", "nobody", "unknown"]
#: How the user said it. `quoted`: pasted, too. `joked`: played, too.
Manner = Literal["stated", "asked", "supposed", "quoted", "joked", "denied", "unknown"]
#: When it holds. `while`: for a time only.
Tense = Literal["now", "past", "future", "while", "unknown"]

#: What becomes of a proposal. A refusal's reason is a metric's label, so it contains no user text.
#: `quoted`: it stands in material alone. `model`: the model itself says that it is not meant.
#: `many`: others of its sentence came first. `untrusted`: an end by a model that is not trusted.
Refusal = Literal["ungrounded", "quoted", "unwanted", "secret", "model", "many", "untrusted"]
Outcome = Literal["stated", "doubtful"] | Refusal


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
        """The sequence number of the message that the model cites for the fact."""

    @property
    def retracts(self) -> bool:
        """The fact is no longer true."""

    @property
    def until(self) -> date | None:
        """The last day on which it holds. None: the model names none."""


class LabeledProposal(Proposed, Protocol):
    """A proposed fact with the model's own labels."""

    @property
    def quote(self) -> str:
        """The words of the message that state the fact. Empty: the model gave none."""

    @property
    def whose(self) -> Owner: ...
    @property
    def how(self) -> Manner: ...
    @property
    def when(self) -> Tense: ...
    @property
    def keep(self) -> bool:
        """False: the user does not want it remembered."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A proposed fact in its right category. Screening also corrects `seq`."""

    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool
    until: date | None = None

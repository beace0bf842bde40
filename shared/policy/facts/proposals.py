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

#: Why a clause that contains a value does not state it about the user.
Objection = Literal[
    "ended", "negated", "corrected", "misplaced", "someone_else", "hypothetical", "question"
]
#: What a clause says about a value. `stated`: a fact. `doubtful`: the user must confirm it.
#: `limited`: a fact until a day, if the message names one.
Stance = Literal["stated", "limited", "doubtful"] | Objection
#: Why a proposal is refused. The reason is a metric's label, so it contains no user text.
Refusal = Literal["ungrounded", "quoted", "play", "unwanted", "secret", "model"] | Objection

BEST_FIRST: tuple[Stance, ...] = (
    "stated", "limited", "doubtful", "ended", "negated", "corrected", "misplaced", "someone_else",
    "hypothetical", "question",
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
        """The sequence number of the message that the model cites for the fact."""

    @property
    def retracts(self) -> bool:
        """The fact is no longer true."""


class Testified(Proposed, Protocol):
    """A proposed fact with the model's own judgement of it."""

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
    #: The last day on which it holds. None: its message names none.
    valid_until: date | None = None


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """The result of checking a proposal."""

    proposal: Proposal
    outcome: Literal["stated", "doubtful"] | Refusal
    #: Code has no words for the language, so that only the model tells whether it is meant.
    is_blind: bool = False

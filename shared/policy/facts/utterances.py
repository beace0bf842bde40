"""Indexes the messages for the check of proposals, and finds the message that supports one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.models import Heard
from shared.policy.facts.grounding.evidence import SupportLevel, measure_support
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.proposals import BEST_FIRST, Proposal, Stance
from shared.policy.facts.stance.clauses import Clause, read_clauses
from shared.policy.facts.stance.foreign import is_play, without_foreign
from shared.policy.facts.stance.judgement import choose_clauses, judge_clause

SUPPORT_LEVELS: tuple[SupportLevel, ...] = ("none", "part", "whole")


@dataclass(frozen=True)
class Utterance:
    """A user message, indexed once. `own` is its text without quotations and other foreign text."""

    message: Heard
    whole: IndexedText = field(init=False)
    own: IndexedText = field(init=False)
    clauses: tuple[Clause, ...] = field(init=False)
    #: The message is a joke, a game or fiction.
    is_play: bool = field(init=False)

    def __post_init__(self) -> None:
        said_on = self.message.created_at.date()
        own = without_foreign(self.message.content)
        object.__setattr__(self, "whole", IndexedText(self.message.content, said_on))
        object.__setattr__(self, "own", IndexedText(own, said_on))
        object.__setattr__(self, "clauses", read_clauses(own))
        object.__setattr__(self, "is_play", is_play(self.message.content))


@dataclass(frozen=True, kw_only=True)
class Support:
    """How much of a value one message says, and in which clause and stance."""

    utterance: Utterance
    level: SupportLevel
    clause: Clause
    stance: Stance

    def rank(self, cited: int) -> tuple[int, int, bool, int]:
        """A sort key, best is greatest. Ties: the message that the model `cited`, or the newest."""
        sequence = self.utterance.message.sequence_number
        return (
            SUPPORT_LEVELS.index(self.level),
            -BEST_FIRST.index(self.stance),
            sequence == cited,
            sequence,
        )


def find_support(proposal: Proposal, utterances: Sequence[Utterance]) -> Support | None:
    """The message that says the value best. It need not be the message that the model cited."""
    found = [support for each in utterances if (support := _support_in(each, proposal))]
    return max(found, key=lambda support: support.rank(proposal.seq), default=None)


def _support_in(utterance: Utterance, proposal: Proposal) -> Support | None:
    level = measure_support(proposal.value, utterance.own)
    if level == "none":
        return None
    # If no clause contains the value's words (a date, for example), all clauses are judged.
    clauses = choose_clauses(proposal.value, utterance.clauses) or utterance.clauses
    judged = [(judge_clause(proposal, clause), clause) for clause in clauses]
    if not judged:
        return None
    stance, clause = min(judged, key=lambda each: BEST_FIRST.index(each[0]))
    return Support(utterance=utterance, level=level, clause=clause, stance=stance)

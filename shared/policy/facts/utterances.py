"""Indexes the messages for the check of proposals, and finds the message that supports one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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
    """A user message. Each of its properties is worked out once, when it is first needed."""

    message: Heard

    @cached_property
    def whole(self) -> IndexedText:
        return IndexedText(self.message.content, self.message.created_at.date())

    @cached_property
    def own(self) -> IndexedText:
        """The text without quotations and other foreign text."""
        text = without_foreign(self.message.content)
        if text == self.message.content:
            return self.whole
        return IndexedText(text, self.message.created_at.date())

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return read_clauses(self.own.content)

    @cached_property
    def is_play(self) -> bool:
        """The message is a joke, a game or fiction."""
        return is_play(self.message.content)


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
    # To find what is foreign in a text takes far longer than to see that all of it says nothing.
    if measure_support(proposal.value, utterance.whole) == "none":
        return None
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

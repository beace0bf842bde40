"""Indexes the messages for the check of proposals, and finds the message that supports one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.models import Heard
from shared.policy.facts.grounding.evidence import SupportLevel, measure_support
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.grounding.nouns import (
    counts_another_thing,
    is_age_or_count,
    may_count_another_thing,
)
from shared.policy.facts.proposals import BEST_FIRST, Claimed, Proposal, Stance
from shared.policy.facts.stance.clauses import Clause, read_clauses
from shared.policy.facts.stance.foreign import is_play, without_foreign
from shared.policy.facts.stance.judgement import choose_clauses, judge_clause
from shared.policy.facts.stance.topics import relation_words
from shared.policy.facts.wishes import (
    forget_requests,
    names_key,
    names_part_of,
    unwanted_parts,
)

SUPPORT_LEVELS: tuple[SupportLevel, ...] = ("none", "part", "whole")


@dataclass(frozen=True)
class Utterance:
    """A user message. Each of its properties is worked out once, when it is first needed."""

    message: Heard

    @cached_property
    def whole(self) -> IndexedText:
        return IndexedText(self.message.content, self.message.created_at.date())

    @cached_property
    def plain_text(self) -> IndexedText:
        """The message without quotations and other foreign text."""
        text = without_foreign(self.message.content)
        if text == self.message.content:
            return self.whole
        return IndexedText(text, self.message.created_at.date())

    @cached_property
    def orders(self) -> IndexedText:
        """The user's own text with the tasks in it, such as "write to me in UK spelling"."""
        text = without_foreign(self.message.content, keeps_tasks=True)
        return IndexedText(text, self.message.created_at.date())

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return read_clauses(self.plain_text.content)

    @cached_property
    def _unwanted(self) -> list[IndexedText]:
        day = self.message.created_at.date()
        parts = [] if self.message.has_no_wish else unwanted_parts(self.message.content)
        return [IndexedText(part, day) for part in parts]

    @cached_property
    def _forget_requests(self) -> list[IndexedText]:
        day = self.message.created_at.date()
        requests = [] if self.message.has_no_wish else forget_requests(self.message.content)
        return [IndexedText(request, day) for request in requests]

    def is_unwanted(self, value: str, quote: str) -> bool:
        """Whether the user asks not to remember the part of the message that says the value."""
        return bool(value or quote) and any(
            measure_support(value or quote, part) != "none" for part in self._unwanted
        )

    def asks_to_forget(self, fact: Claimed) -> bool:
        """Whether a request names the fact, by its value or by nothing but its key.

        "Forget what my cat is called" names `cat_name`.
        """
        return any(
            measure_support(fact.value, each) == "whole"
            or names_key(fact.key, each.content)
            or names_part_of(fact.value, each.content)
            for each in self._forget_requests
        )

    def says(self, quote: str) -> bool:
        """Whether the user's own words contain the quote. Case, accents and signs do not count."""
        words = " ".join(word.text for word in read_words(fold(quote)))
        return bool(words) and words in " ".join(word.text for word in self.plain_text.words)

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
    supports = [support for each in utterances if (support := _support_in(each, proposal))]
    return max(supports, key=lambda support: support.rank(proposal.seq), default=None)


def _support_in(utterance: Utterance, proposal: Proposal) -> Support | None:
    # To find what is foreign in a text takes far longer than to see that all of it says nothing.
    if measure_support(proposal.value, utterance.whole) == "none":
        return None
    is_order = proposal.category == "instruction"
    level = measure_support(proposal.value, utterance.orders if is_order else utterance.plain_text)
    if level == "none":
        return None
    # If no clause contains the value's words (a date, for example), all clauses are judged.
    all_clauses = read_clauses(utterance.orders.content) if is_order else utterance.clauses
    clauses = choose_clauses(proposal.value, all_clauses) or all_clauses
    judged: list[tuple[Stance, Clause]] = [
        (judge_clause(proposal, clause), clause) for clause in clauses
    ]
    if not judged:
        return None
    stance, clause = min(judged, key=lambda each: BEST_FIRST.index(each[0]))
    stance = max(
        (stance, _judge_count(proposal, clause, utterance.plain_text) or stance),
        key=BEST_FIRST.index,
    )
    return Support(utterance=utterance, level=level, clause=clause, stance=stance)


def _judge_count(proposal: Proposal, clause: Clause, text: IndexedText) -> Stance | None:
    """An objection to what a number counts."""
    names = relation_words(proposal.key, text.content)
    if counts_another_thing(proposal.key, proposal.value, text, names):
        return "misplaced"
    counted = IndexedText(_cut_at_other_verb(clause), text.said_on)
    if is_age_or_count(proposal.key, proposal.value, counted, names):
        return "misplaced"
    if may_count_another_thing(proposal.key, proposal.value, counted, names):
        return "doubtful"
    return None


def _cut_at_other_verb(clause: Clause) -> str:
    """ "I have 3 goats and the stable [is 28 m²]": the second number is not the user's."""
    ends = [
        verb.start()
        for language in clause.languages
        if (user := language.first_person.search(clause.text))
        and (verb := language.other_verbs.search(clause.text, user.end()))
    ]
    return clause.text[: min(ends, default=len(clause.text))]

"""Proposals with `retracts`: the model says that something is no longer true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from shared.policy.facts.grounding.evidence import count_overlap, list_parts, measure_support
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.proposals import Proposal, Ruling
from shared.policy.facts.stance.judgement import clause_words, ends_something, may_end
from shared.policy.facts.utterances import Utterance, find_support

# A value has no day, but `IndexedText` needs one. Not `date.min`: earlier days must exist.
NO_DAY = date(1000, 1, 1)


def is_end(proposal: Proposal, recorded: Sequence[str], utterances: Sequence[Utterance]) -> bool:
    """Whether a fact ends without a replacement. `recorded` are the values on record in its slot.

    A new value replaces the old one ("we renamed him Max"), unless its message denies or ends it.
    """
    if not proposal.value or _is_recorded(proposal, recorded):
        return True
    support = find_support(proposal, utterances)
    return support is None or support.stance in ("negated", "ended")


def check_end(
    proposal: Proposal, recorded: Sequence[str], utterances: Sequence[Utterance]
) -> Ruling:
    """Accept the end if a message says that something ended, and names it or is the cited one."""
    about = " ".join([proposal.value, *recorded, proposal.key.replace("_", " ")])
    telling = [each for each in utterances if _tells_end(each, about, proposal)]
    if not telling:
        return Ruling(proposal=proposal, outcome="ungrounded")
    message = max(
        (each.message for each in telling),
        key=lambda message: (message.sequence_number == proposal.seq, message.turn),
    )
    value = "" if _is_recorded(proposal, recorded) else proposal.value
    ended = replace(proposal, value=value, seq=message.sequence_number)
    return Ruling(proposal=ended, outcome="stated")


def _tells_end(utterance: Utterance, about: str, proposal: Proposal) -> bool:
    """Whether the message says that something ended. `about` holds the words of the ended fact.

    In a language without a table it is enough that a clause has one of these words.
    """
    if utterance.is_play:
        return False
    clauses = [clause for clause in utterance.clauses if may_end(proposal, clause)]
    parts = list_parts(about)
    is_named = any(count_overlap(parts, clause_words(clause)) for clause in clauses)
    if not any(clause.languages for clause in clauses):
        return is_named
    is_cited = utterance.message.sequence_number == proposal.seq
    return (is_named or is_cited) and any(ends_something(clause) for clause in clauses)


def _is_recorded(proposal: Proposal, recorded: Sequence[str]) -> bool:
    return any(_is_like(proposal.value, value) for value in recorded)


def _is_like(one: str, other: str) -> bool:
    """Whether one value contains the other: "a blue Skoda" and "Skoda"."""
    if not one or not other:
        return False
    return "whole" in (
        measure_support(one, IndexedText(other, NO_DAY)),
        measure_support(other, IndexedText(one, NO_DAY)),
    )

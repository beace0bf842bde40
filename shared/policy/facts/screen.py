"""Screening: checks a model's proposals against the messages: learn, ask the user, or refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from shared.models import Heard
from shared.policy.facts.consent import needs_consent
from shared.policy.facts.ended_facts import check_end, is_end
from shared.policy.facts.grounding.evidence import measure_support
from shared.policy.facts.proposals import Claimed, Proposal, Proposed, Refusal, Ruling
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.stance.person import names_known_person
from shared.policy.facts.utterances import Support, Utterance, find_support

MAX_DOUBTFUL_CONFIDENCE = 0.5


@dataclass(frozen=True, kw_only=True)
class Screened:
    """`stated` are facts, `doubtful` are for the user to confirm."""

    stated: list[Proposal]
    doubtful: list[Proposal]
    refused: Counter[Refusal]


def screen(
    proposed: Sequence[Proposed], heard: Sequence[Heard], known: Sequence[Claimed], sure: float
) -> Screened:
    """Sort the proposals into stated, doubtful and refused; correct a wrong `seq`.

    A confidence below `sure` makes a proposal doubtful.
    """
    utterances = [Utterance(message) for message in heard]
    on_record = _values_by_slot(known)
    # The record as it will be when all statements of this answer are learned.
    expected = _values_by_slot([*known, *(fact for fact in proposed if not fact.retracts)])
    screened = Screened(stated=[], doubtful=[], refused=Counter())
    for each in proposed:
        proposal = _in_its_category(each)
        slot = normalize_slot(proposal.category, proposal.key, "")
        recorded = expected.get(slot, ())
        if proposal.retracts and is_end(proposal, recorded, utterances):
            ruling = check_end(proposal, recorded, utterances)
        elif proposal.value:
            ruling = _check_statement(proposal, on_record.get(slot, ()), utterances, sure)
        else:
            ruling = Ruling(proposal=proposal, outcome="ungrounded")
        _add(ruling, screened)
    return screened


def _in_its_category(fact: Proposed) -> Proposal:
    """Correct the category: an allergy is a constraint, whatever the model calls it."""
    category, _ = normalize_slot(fact.category, fact.key, "")
    return Proposal(
        category=category,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=fact.importance,
        seq=fact.seq,
        retracts=fact.retracts,
    )


def _values_by_slot(facts: Iterable[Claimed]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        found.setdefault(normalize_slot(fact.category, fact.key, ""), []).append(fact.value)
    return found


def _check_statement(
    proposal: Proposal, recorded: Sequence[str], utterances: Sequence[Utterance], sure: float
) -> Ruling:
    """`recorded` are the values on record in the proposal's slot."""
    support = find_support(proposal, utterances)
    if support is None:
        is_foreign = any(
            measure_support(proposal.value, each.whole) != "none" for each in utterances
        )
        return Ruling(proposal=proposal, outcome="quoted" if is_foreign else "ungrounded")
    if not names_known_person(proposal, (each.clauses for each in utterances), recorded):
        return Ruling(proposal=proposal, outcome="misplaced")
    if support.utterance.is_play:
        return Ruling(proposal=proposal, outcome="play")
    supported = replace(proposal, seq=support.utterance.message.sequence_number, retracts=False)
    if support.stance == "stated" and _is_certain(proposal, support, sure):
        return Ruling(proposal=supported, outcome="stated")
    if support.stance == "stated" or support.stance == "doubtful":
        confidence = min(proposal.confidence, MAX_DOUBTFUL_CONFIDENCE)
        return Ruling(proposal=replace(supported, confidence=confidence), outcome="doubtful")
    return Ruling(proposal=proposal, outcome=support.stance)


def _is_certain(proposal: Proposal, support: Support, sure: float) -> bool:
    is_imported = support.utterance.message.is_imported
    return (
        support.level == "whole"
        and proposal.confidence >= sure
        and not needs_consent(proposal, support.clause, is_imported=is_imported)
    )


def _add(ruling: Ruling, screened: Screened) -> None:
    if ruling.outcome == "stated":
        screened.stated.append(ruling.proposal)
    elif ruling.outcome == "doubtful":
        screened.doubtful.append(ruling.proposal)
    else:
        screened.refused[ruling.outcome] += 1

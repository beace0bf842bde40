"""Screening: checks a model's proposals against the messages: learn, ask the user, or refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from shared.models import Heard
from shared.policy.facts.consent import needs_consent
from shared.policy.facts.ended_facts import check_end, is_end
from shared.policy.facts.grounding.evidence import measure_support
from shared.policy.facts.lasting import read_end
from shared.policy.facts.names import CATEGORY_OF
from shared.policy.facts.proposals import Claimed, Proposal, Proposed, Refusal, Ruling, Testified
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_secret
from shared.policy.facts.slots import (
    is_single,
    may_end_on_a_day,
    normalize_slot,
    stacked_key,
    temporary_key,
    values_by_slot,
    values_of,
)
from shared.policy.facts.stance.judgement import adds_value
from shared.policy.facts.stance.material import claims_material
from shared.policy.facts.stance.person import is_about_user, names_known_person
from shared.policy.facts.stance.places import names_workplace
from shared.policy.facts.testimony import Testimony, read_testimony
from shared.policy.facts.utterances import Support, Utterance, find_support
from shared.policy.facts.values import is_same_value
from shared.policy.facts.verification import Question, Screened, doubted

#: Below this confidence a fact is a suggestion. A little above what a doubtful one can have.
FACT_SURE_CONFIDENCE = 0.6


def screen(
    proposed: Sequence[Testified],
    heard: Sequence[Heard],
    known: Sequence[Claimed],
    sure: float,
    patterns: SecretPattern = None,
) -> Screened:
    """Sort the proposals into stated, doubtful and refused; correct a wrong `seq`.

    A confidence below `sure` makes a proposal doubtful. `patterns`: the operator's secrets.
    """
    utterances = [Utterance(message) for message in heard]
    on_record = values_by_slot(known)
    # The record as it will be when all statements of this answer are learned.
    expected = values_by_slot([*known, *(fact for fact in proposed if not fact.retracts)])
    screened = Screened(stated=[], doubtful=[], refused=Counter(), questions=[])
    for each in proposed:
        proposal = _in_its_category(each)
        objection = _object(each, utterances, patterns)
        if each.retracts and _is_forgotten(each, known, utterances):
            screened.stated.append(proposal)
            continue
        if objection:
            screened.refused[objection] += 1
            continue
        slot = normalize_slot(proposal.category, proposal.key, "")
        values = _Values(now=on_record.get(slot, ()), then=values_of(slot, expected))
        ruling = _check(proposal, values, utterances, sure, is_agreed=False)
        if ruling.outcome != "stated" and read_testimony(each) == "agrees":
            ruling = _check(proposal, values, utterances, sure, is_agreed=True)
            ruling = replace(ruling, is_blind=True)
        is_limited = ruling.proposal.valid_until is not None
        _weigh(ruling, read_testimony(each, is_limited=is_limited), screened)
    screened.stated.extend(_list_ended(screened.stated, known, utterances))
    screened.stated.extend(_list_forgotten(screened.stated, known, utterances))
    return screened


def _list_forgotten(
    stated: Sequence[Proposal], known: Sequence[Claimed], utterances: Sequence[Utterance]
) -> list[Proposal]:
    """The ends of known facts that the user asks to forget, whether the model says so or not."""
    ended = {(each.category, each.key) for each in stated if each.retracts}
    return [
        Proposal(
            category=fact.category, key=fact.key, value="", confidence=1.0, importance=1.0,
            seq=each.message.sequence_number, retracts=True,
        )
        for fact in known
        for each in utterances
        if (fact.category, fact.key) not in ended and each.asks_to_forget(fact)
    ]  # fmt: skip


def _list_ended(
    stated: Sequence[Proposal], known: Sequence[Claimed], utterances: Sequence[Utterance]
) -> list[Proposal]:
    """The ends of facts that a new one takes the place of: "I stopped keto, I do low-FODMAP".

    Such facts would stack: the model gives the new one only.
    """
    return [
        ruling.proposal
        for new in stated
        for old in known
        if not new.retracts and _may_replace(new, old)
        for ruling in [check_end(_end_of(old, new), [old.value], utterances, is_agreed=False)]
        if ruling.outcome == "stated"
    ]


def _may_replace(new: Proposal, old: Claimed) -> bool:
    category, key = normalize_slot(new.category, new.key, "")
    return (
        old.category == category
        and old.key.startswith(f"{key}_")
        and not is_same_value(old.value, new.value)
    )


def _end_of(old: Claimed, new: Proposal) -> Proposal:
    return replace(new, category=old.category, key=old.key, value="", retracts=True)


def _is_forgotten(
    fact: Testified, known: Sequence[Claimed], utterances: Sequence[Utterance]
) -> bool:
    """Whether the user asks to forget what the model takes back."""
    if not fact.keep and any(each.says(fact.quote) for each in utterances):
        return True
    slot = normalize_slot(fact.category, fact.key, "")
    values = [each.value for each in known if normalize_slot(each.category, each.key, "") == slot]
    return any(
        each.is_unwanted(value, "")
        for each in utterances
        for value in (fact.value, fact.key.replace("_", " "), *values)
    )


def _object(fact: Testified, heard: Sequence[Utterance], patterns: SecretPattern) -> Refusal | None:
    """Find what no witness can overrule: a secret, or something that the user wants forgotten."""
    if not fact.keep or any(each.is_unwanted(fact.value, fact.quote) for each in heard):
        return None if fact.retracts else "unwanted"
    if any(is_secret(fact.key, fact.value, each.message.content, patterns) for each in heard):
        return "secret"
    return None


def _weigh(ruling: Ruling, testimony: Testimony, screened: Screened) -> None:
    """Both witnesses agree: a fact. One doubts: the user is asked. Both doubt, or code refuses: no.

    Small models are sure of everything, so that a model alone overrules no refusal. What is
    suggested, and what the model alone decides, is also a question for its second answer.
    """
    proposal, outcome = ruling.proposal, ruling.outcome
    if testimony == "refuses":
        screened.refused["model"] += 1
    elif outcome == "stated" and testimony != "doubts":
        screened.stated.append(proposal)
        if ruling.is_blind:
            screened.questions.append(Question(proposal=proposal, confirmed=proposal))
    elif outcome == "stated" and not proposal.retracts:
        screened.doubtful.append(doubted(proposal))
        screened.questions.append(Question(proposal=doubted(proposal), confirmed=proposal))
    elif outcome == "doubtful" and testimony != "doubts":
        screened.doubtful.append(proposal)
        screened.questions.append(Question(proposal=proposal, confirmed=None))
    elif outcome == "stated" or outcome == "doubtful":
        screened.refused["model"] += 1
    else:
        screened.refused[outcome] += 1


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


@dataclass(frozen=True, kw_only=True)
class _Values:
    """The values in a proposal's slot."""

    #: On record now.
    now: Sequence[str]
    #: When all statements of this answer are learned, with those that stack on the slot.
    then: Sequence[str]


def _check(
    proposal: Proposal,
    values: _Values,
    utterances: Sequence[Utterance],
    sure: float,
    *,
    is_agreed: bool,
) -> Ruling:
    """The code's ruling. `is_agreed`: the model says that the user states it, now."""
    if proposal.retracts and is_end(proposal, values.then, utterances):
        return check_end(proposal, values.then, utterances, is_agreed=is_agreed)
    if not proposal.value:
        return Ruling(proposal=proposal, outcome="ungrounded")
    return _check_statement(proposal, values.now, utterances, sure, is_agreed=is_agreed)


def _check_statement(
    proposal: Proposal,
    recorded: Sequence[str],
    utterances: Sequence[Utterance],
    sure: float,
    *,
    is_agreed: bool,
) -> Ruling:
    """`recorded` are the values on record in the proposal's slot.

    `is_agreed`: the model says that the user states it. Then a relation need not be named.
    """
    support = find_support(proposal, utterances)
    if support is None:
        is_foreign = any(
            measure_support(proposal.value, each.whole) != "none" for each in utterances
        )
        return Ruling(proposal=proposal, outcome="quoted" if is_foreign else "ungrounded")
    heard = (each.clauses for each in utterances)
    if not names_known_person(proposal, heard, recorded, is_agreed=is_agreed):
        return Ruling(proposal=proposal, outcome="misplaced")
    if support.utterance.is_play:
        return Ruling(proposal=proposal, outcome="play")
    supported = replace(
        proposal,
        key="employer" if names_workplace(proposal, support.clause) else proposal.key,
        seq=support.utterance.message.sequence_number,
        retracts=False,
    )
    last_day = _last_day(proposal, support)
    if last_day:
        key = temporary_key(supported.category, supported.key)
        supported = replace(supported, key=key, valid_until=last_day)
    is_stated = (
        support.stance == "stated"
        or (support.stance == "limited" and last_day is not None)
        or _heads_own_text(proposal, support)
    )
    displaces = any(not is_same_value(proposal.value, value) for value in recorded)
    if displaces and _adds(proposal, support):
        supported = replace(supported, key=stacked_key(proposal.key, proposal.value))
    elif displaces and is_single(proposal.category, proposal.key):
        is_stated = is_stated and is_about_user(proposal, support.clause)
    if is_stated and _is_certain(proposal, support, sure):
        is_blind = not support.clause.languages
        return Ruling(proposal=supported, outcome="stated", is_blind=is_blind)
    if support.stance == "stated" or support.stance == "limited" or support.stance == "doubtful":
        return Ruling(proposal=doubted(supported), outcome="doubtful")
    return Ruling(proposal=proposal, outcome=support.stance)


def _adds(proposal: Proposal, support: Support) -> bool:
    """Whether the value stands beside the one on record: "I also like techno"."""
    _, known = normalize_slot(proposal.category, proposal.key, "")
    return known not in CATEGORY_OF and adds_value(proposal, support.clause)


def _last_day(proposal: Proposal, support: Support) -> date | None:
    """The last day on which what the user states holds, if the message names one."""
    _, key = normalize_slot(proposal.category, proposal.key, "")
    if support.stance not in ("stated", "limited") or not may_end_on_a_day(key):
        return None
    said_on = support.utterance.message.created_at.date()
    return read_end(support.utterance.plain_text.content, proposal.value, said_on)


def _heads_own_text(proposal: Proposal, support: Support) -> bool:
    """A name that is a line of a text which the user claims: "This is my CV: …"."""
    content = support.utterance.message.content
    _, key = normalize_slot(proposal.category, proposal.key, "")
    lines = (re.sub(r"^[^:：]*[:：]", "", line).strip() for line in content.split("\n"))
    return (
        key == "name"
        and support.stance == "doubtful"
        and claims_material(content)
        and proposal.value in lines
    )


def _is_certain(proposal: Proposal, support: Support, sure: float) -> bool:
    is_imported = support.utterance.message.is_imported
    return (
        support.level == "whole"
        and proposal.confidence >= sure
        and not needs_consent(proposal, support.clause, is_imported=is_imported)
    )

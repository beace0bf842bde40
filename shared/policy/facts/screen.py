"""Screening: checks a model's proposals against the messages: learn, ask the user, or refuse.

A trusted model is believed by its own labels. Code checks what can be checked in every language:
that value or quote stand in the user's own words, with all numbers, dates and names; that it is no
secret, and nothing that the user wants forgotten. Another model only suggests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from shared.models import Heard
from shared.policy.facts.answer_limits import AnswerLimits
from shared.policy.facts.ends import judge_end
from shared.policy.facts.grounding.evidence import (
    SupportLevel,
    measure_support,
)
from shared.policy.facts.labels import ModelWord, read_labels
from shared.policy.facts.names import CATEGORY_OF
from shared.policy.facts.phrases import any_of, plain, recognise
from shared.policy.facts.plain_sentences import reads_alike
from shared.policy.facts.proposals import Claimed, LabeledProposal, Outcome, Proposal, Refusal
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_secret
from shared.policy.facts.slots import (
    may_end_on_a_day,
    normalize_slot,
    stacked_key,
    temporary_key,
    values_by_slot,
    values_of,
)
from shared.policy.facts.steering import STEERING, is_about_form
from shared.policy.facts.utterances import Utterance
from shared.policy.facts.values import is_same_value

#: Below this confidence a fact is a suggestion. A little above what a doubtful one can have.
FACT_SURE_CONFIDENCE = 0.6
MAX_DOUBTFUL_CONFIDENCE = 0.5
LEVELS: tuple[SupportLevel, ...] = ("none", "part", "whole")


@dataclass(frozen=True, kw_only=True)
class Screened:
    """`stated` are facts, `doubtful` are for the user to confirm."""

    stated: list[Proposal]
    doubtful: list[Proposal]
    refused: Counter[Refusal]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The message that supports a proposal best, and how much of it."""

    utterance: Utterance
    level: SupportLevel


@dataclass(frozen=True, kw_only=True)
class Screening:
    """What all proposals of one answer are checked against."""

    utterances: Sequence[Utterance]
    known: Sequence[Claimed]
    is_trusted: bool
    patterns: SecretPattern


def screen(
    proposed: Sequence[LabeledProposal],
    heard: Sequence[Heard],
    known: Sequence[Claimed],
    patterns: SecretPattern = None,
    *,
    is_trusted: bool,
) -> Screened:
    """Sort the proposals into stated, doubtful and refused; correct a wrong `seq`.

    `is_trusted`: the model's own word is taken. `patterns`: the operator's secrets.
    """
    screening = Screening(
        utterances=[Utterance(message) for message in heard],
        known=known,
        is_trusted=is_trusted,
        patterns=patterns,
    )
    screened = Screened(stated=[], doubtful=[], refused=Counter())
    limits = AnswerLimits()
    for fact in sorted(proposed, key=lambda each: -each.importance):
        proposal, outcome, sentence = _judge(fact, screening)
        if outcome in ("stated", "doubtful") and sentence is not None:
            outcome = limits.limit(proposal, outcome, sentence)
        if outcome == "stated":
            screened.stated.append(proposal)
        elif outcome == "doubtful":
            screened.doubtful.append(doubted(proposal))
        else:
            screened.refused[outcome] += 1
    screened.stated.extend(_list_forgotten(screened.stated, screening))
    return screened


def doubted(proposal: Proposal) -> Proposal:
    """The proposal, lowered to a suggestion."""
    return replace(proposal, confidence=min(proposal.confidence, MAX_DOUBTFUL_CONFIDENCE))


def _judge(
    fact: LabeledProposal, screening: Screening
) -> tuple[Proposal, Outcome, tuple[int, int] | None]:
    """The proposal as it would be learned, what becomes of it, and the sentence that states it."""
    proposal = _in_its_category(fact)
    objection = _object(fact, screening)
    if objection:
        return proposal, objection, None
    if fact.retracts:
        slot = normalize_slot(fact.category, fact.key, "")
        recorded = values_of(slot, values_by_slot(screening.known))
        end, outcome = judge_end(fact, proposal, recorded, screening.utterances)
        is_believed = screening.is_trusted or outcome != "stated"
        return end, outcome if is_believed else "untrusted", None
    evidence = _find_evidence(fact, screening.utterances)
    if evidence is None:
        is_foreign = any(
            measure_support(fact.value, each.whole) != "none" for each in screening.utterances
        )
        return proposal, "quoted" if fact.value and is_foreign else "ungrounded", None
    sequence = evidence.utterance.message.sequence_number
    sentence = evidence.utterance.find_sentence(fact)
    proposal = _in_its_slot(replace(proposal, seq=sequence, retracts=False), evidence, screening)
    return proposal, _weigh(fact, proposal, evidence, screening), (sequence, sentence)


def _object(fact: LabeledProposal, screening: Screening) -> Refusal | None:
    """Find what no model can overrule: a secret, or something that the user wants forgotten."""
    utterances = screening.utterances
    if not fact.retracts and any(each.is_unwanted(fact.value, fact.quote) for each in utterances):
        return "unwanted"
    if any(
        is_secret(fact.key, fact.value, each.message.content, screening.patterns)
        for each in utterances
    ):
        return "secret"
    return None


def _weigh(
    fact: LabeledProposal, proposal: Proposal, evidence: Evidence, screening: Screening
) -> Outcome:
    word = read_labels(fact)
    if word == "not_meant":
        return "model" if fact.keep else "unwanted"
    is_sure = evidence.level == "whole" and fact.confidence >= FACT_SURE_CONFIDENCE
    message = evidence.utterance.message
    if not is_sure or _needs_consent(proposal, is_imported=message.is_imported):
        return "doubtful"
    return "stated" if _is_believed(fact, word, evidence, screening) else "doubtful"


def _is_believed(
    fact: LabeledProposal, word: ModelWord, evidence: Evidence, screening: Screening
) -> bool:
    if screening.is_trusted:
        return word == "meant"
    return reads_alike(fact, evidence.utterance.message.content)


def _needs_consent(proposal: Proposal, *, is_imported: bool) -> bool:
    if is_imported and proposal.category in STEERING:
        return True
    is_order = proposal.category == "instruction"
    return is_order and not is_about_form(proposal.key, proposal.value)


def _find_evidence(fact: LabeledProposal, utterances: Sequence[Utterance]) -> Evidence | None:
    """The message that says the value best. It need not be the message that the model cited."""
    if not fact.value:
        return None
    levels = [Evidence(utterance=each, level=each.support(fact)) for each in utterances]
    best = max(
        levels,
        key=lambda each: (
            LEVELS.index(each.level),
            each.utterance.message.sequence_number == fact.seq,
            each.utterance.message.sequence_number,
        ),
        default=None,
    )
    return best if best and best.level != "none" else None


def _in_its_slot(proposal: Proposal, evidence: Evidence, screening: Screening) -> Proposal:
    """Under a key beside the one on record, if it holds until a day, or besides what is known."""
    until = _last_day(proposal, evidence)
    proposal = replace(proposal, until=until)
    if until:
        return replace(proposal, key=temporary_key(proposal.category, proposal.key))
    slot = normalize_slot(proposal.category, proposal.key, "")
    recorded = values_by_slot(screening.known).get(slot, ())
    displaces = any(not is_same_value(proposal.value, value) for value in recorded)
    if displaces and slot[1] not in CATEGORY_OF and _adds(proposal, evidence):
        return replace(proposal, key=stacked_key(proposal.key, proposal.value))
    return proposal


def _last_day(proposal: Proposal, evidence: Evidence) -> date | None:
    """The model's day, if it lies ahead and something under the key may end."""
    said_on = evidence.utterance.message.created_at.date()
    _, key = normalize_slot(proposal.category, proposal.key, "")
    until = proposal.until
    return until if until and until >= said_on and may_end_on_a_day(key) else None


def _adds(proposal: Proposal, evidence: Evidence) -> bool:
    """Whether the value stands beside the one on record: "I also like techno"."""
    sentences = evidence.utterance.sentences
    texts = [
        plain(each.content) for each in sentences if measure_support(proposal.value, each) != "none"
    ]
    return any(
        any_of(language, "also").search(text) for text in texts for language in recognise(text)
    )


def _list_forgotten(stated: Sequence[Proposal], screening: Screening) -> list[Proposal]:
    """The ends of known facts that the user asks to forget, whatever the model says."""
    ended = {(each.category, each.key) for each in stated if each.retracts}
    return [
        Proposal(
            category=fact.category, key=fact.key, value="", confidence=1.0, importance=1.0,
            seq=each.message.sequence_number, retracts=True,
        )
        for fact in screening.known
        for each in screening.utterances
        if (fact.category, fact.key) not in ended and each.asks_to_forget(fact)
    ]  # fmt: skip


def _in_its_category(fact: LabeledProposal) -> Proposal:
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
        until=fact.until,
    )

"""Replays a case of beliefs: lines of a user, what a model proposes for each, what is held then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shared.llm.schemas import FactCandidate, FactsAnswer
from shared.models import Candidate, ConversationId, Heard
from shared.policy.facts.candidates import Floors, check_candidates
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.screen import screen
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.values import is_same_value
from tests.unit.policy.facts.ledger import Ledger, instant

#: `honest`: a model that has passed its examination; its labels are in the case. `unproven`: one
#: that has not, and claims the best of each proposal.
Witness = Literal["honest", "unproven"]

FLOORS = Floors(confidence=0.4, importance=0.2)
LABELS = ("quote", "whose", "how", "when", "keep")
BEST = {"whose": "user", "how": "stated", "when": "now", "keep": True}


@dataclass(frozen=True, kw_only=True)
class Result:
    """Expectations of one case that failed: (key, value) of wrong and of missing facts.

    Of an unproven model a fact is missing if it is not suggested either.
    """

    false: list[tuple[str, str]]
    lost: list[tuple[str, str]]


def replay(case: Mapping[str, Any], witness: Witness) -> Result:
    ledger = Ledger()
    suggested: list[Candidate] = []
    proposals = case["model"] or []
    for number, line in enumerate(case["lines"]):
        answer = proposals[number] if number < len(proposals) else []
        suggested += _hear(ledger, number + 1, line, answer, witness)
    facts = [fact for fact in ledger.versions if fact.is_active]
    return Result(
        false=[
            _pair(each)
            for each in case.get("refuse", ())
            if _is_held(each, facts, is_key_exact=True)
        ],
        lost=[
            _pair(each)
            for each in case.get("keep", ())
            if not _is_held(each, [*facts, *suggested], is_key_exact=False)
        ],
    )


def _hear(
    ledger: Ledger,
    turn: int,
    line: str,
    answer: Sequence[Mapping[str, Any]],
    witness: Witness,
) -> Sequence[Candidate]:
    """Learn a line. Returns what is suggested to the user, if the model is unproven."""
    sequence = 2 * turn
    message = Heard(
        sequence_number=sequence, role="user", content=line, created_at=instant(turn), turn=turn
    )
    facts = [{"seq": sequence} | _testify(each, witness) for each in answer]
    proposals: list[FactCandidate] = FactsAnswer.model_validate({"facts": facts}).facts
    known = [fact for fact in ledger.versions if fact.is_active]
    is_trusted = witness == "honest"
    screened = screen(proposals, [message], known, is_trusted=is_trusted)
    conversation = ConversationId("c")
    for candidate in check_candidates(screened.stated, [message], conversation, FLOORS):
        ledger.hear(candidate)
    doubtful = check_candidates(screened.doubtful, [message], conversation, FLOORS)
    return () if is_trusted else doubtful


def _testify(proposal: Mapping[str, Any], witness: Witness) -> dict[str, Any]:
    fact = {"confidence": 1.0, "importance": 0.7, "value": "", **proposal}
    if witness == "honest":
        return {**BEST, **fact}
    for name in LABELS:
        fact.pop(name, None)
    return {**fact, **BEST, "quote": proposal.get("quote", "")}


def _pair(fact: Mapping[str, str]) -> tuple[str, str]:
    return fact["key"], fact["value"]


def _is_held(expected: Mapping[str, str], facts: Sequence[Claimed], *, is_key_exact: bool) -> bool:
    """Whether a fact with the value is active. `is_key_exact`: under the key or stacked on it."""
    _, key = normalize_slot("identity", expected["key"], "")
    return any(
        is_same_value(fact.value, expected["value"])
        and (not is_key_exact or f"{fact.key}_".startswith(f"{key}_"))
        for fact in facts
    )

"""Replays a case of beliefs: lines of a user, what a model proposes for each, what is held then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shared.llm.schemas import FactCandidate, FactsAnswer
from shared.models import ConversationId, Fact, Heard
from shared.policy.facts.candidates import Floors, check_candidates
from shared.policy.facts.screen import FACT_SURE_CONFIDENCE, screen
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.values import is_same_value
from tests.unit.policy.facts.ledger import Ledger, instant

#: `honest`: the model's own doubts are in the case. `blind`: it claims the best of each proposal.
#: `silent`: it says nothing beside the fact.
Witness = Literal["honest", "blind", "silent"]

FLOORS = Floors(confidence=0.4, importance=0.2)
TESTIMONY = ("quote", "whose", "how", "when", "keep")
BEST = {"whose": "user", "how": "stated", "when": "now", "keep": True}


@dataclass(frozen=True, kw_only=True)
class Result:
    """Expectations of one case that failed: (key, value) of wrong and of missing facts."""

    false: list[tuple[str, str]]
    lost: list[tuple[str, str]]


def replay(case: Mapping[str, Any], witness: Witness) -> Result:
    ledger = Ledger()
    proposals = case["model"] or []
    for number, line in enumerate(case["lines"]):
        answer = proposals[number] if number < len(proposals) else []
        _hear(ledger, number + 1, line, answer, witness)
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
            if not _is_held(each, facts, is_key_exact=False)
        ],
    )


def _hear(
    ledger: Ledger,
    turn: int,
    line: str,
    answer: Sequence[Mapping[str, Any]],
    witness: Witness,
) -> None:
    sequence = 2 * turn
    message = Heard(
        sequence_number=sequence, role="user", content=line, created_at=instant(turn), turn=turn
    )
    facts = [{"seq": sequence} | _testify(each, witness) for each in answer]
    proposals: list[FactCandidate] = FactsAnswer.model_validate({"facts": facts}).facts
    known = [fact for fact in ledger.versions if fact.is_active]
    screened = screen(proposals, [message], known, FACT_SURE_CONFIDENCE)
    conversation = ConversationId("c")
    for candidate in check_candidates(screened.stated, [message], conversation, FLOORS):
        ledger.hear(candidate)


def _testify(proposal: Mapping[str, Any], witness: Witness) -> dict[str, Any]:
    fact = {"confidence": 1.0, "importance": 0.7, "value": "", **proposal}
    if witness == "honest":
        return {**BEST, **fact}
    for name in TESTIMONY:
        fact.pop(name, None)
    if witness == "silent":
        return fact
    return {**fact, **BEST, "quote": proposal.get("quote", "")}


def _pair(fact: Mapping[str, str]) -> tuple[str, str]:
    return fact["key"], fact["value"]


def _is_held(expected: Mapping[str, str], facts: Sequence[Fact], *, is_key_exact: bool) -> bool:
    """Whether a fact with the value is active. `is_key_exact`: under the key or stacked on it."""
    _, key = normalize_slot("identity", expected["key"], "")
    return any(
        is_same_value(fact.value, expected["value"])
        and (not is_key_exact or f"{fact.key}_".startswith(f"{key}_"))
        for fact in facts
    )

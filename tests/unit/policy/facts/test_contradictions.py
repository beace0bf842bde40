"""What people say over time, with the candidates a model gave for it, through the rules.

Each case says what is active at the end: the current value, nothing retired that is unrelated,
every constraint.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shared.llm.schemas import FactsAnswer
from shared.models import Candidate, ConversationId, Heard
from shared.policy.facts.candidates import Floors, check_candidates
from tests.unit.policy.facts.ledger import Ledger, instant

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("contradictions.json").read_text(encoding="utf-8")
)
FLOORS = Floors(confidence=0.4, importance=0.2)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_only_what_is_current_is_active(case: dict[str, Any]) -> None:
    ledger = Ledger()
    for message in case["says"]:
        for candidate in candidates_of(message):
            ledger.hear(candidate)
    active = {f"{category} {key}": value for (category, key), value in ledger.active.items()}
    assert active == case["active"]


def candidates_of(message: dict[str, Any]) -> list[Candidate]:
    """One message is one extraction; the answer passes the same form as a model's."""
    sequence = 2 * message["turn"]
    heard = Heard(
        sequence_number=sequence,
        role="user",
        content=message["text"],
        created_at=instant(message["turn"]),
        turn=message["turn"],
    )
    answer = FactsAnswer.model_validate(
        {"facts": [fact | {"seq": sequence} for fact in message["facts"]]}
    )
    return check_candidates(answer.facts, [heard], ConversationId("c"), FLOORS)


def test_the_set_is_large_enough_to_mean_something() -> None:
    assert len(CASES) >= 60
    assert len({case["name"] for case in CASES}) == len(CASES)

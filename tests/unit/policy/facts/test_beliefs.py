"""What is believed of a model that is honest, that claims the best of everything, or is silent.

`beliefs.json` has the cases; its `fails` names the witnesses with whom a case is not met yet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.unit.policy.facts.replay import Witness, replay

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("beliefs.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("witness", get_args(Witness))
@pytest.mark.parametrize("kind", sorted({case["kind"] for case in CASES}))
def test_only_what_was_meant_is_believed(kind: str, witness: Witness) -> None:
    cases = [case for case in CASES if case["kind"] == kind]
    failed = [case["lines"] for case in cases if not _is_met(case, witness)]
    assert failed == [case["lines"] for case in cases if witness in case.get("fails", ())]


@pytest.mark.parametrize(("witness", "most_false"), [("honest", 0.05), ("blind", 0.15)])
def test_few_beliefs_are_false_and_few_are_lost(witness: Witness, most_false: float) -> None:
    results = [replay(case, witness) for case in CASES]
    refused = sum(len(case.get("refuse", ())) for case in CASES)
    keep_count = sum(len(case.get("keep", ())) for case in CASES)
    assert sum(len(result.false) for result in results) <= most_false * refused
    assert sum(len(result.lost) for result in results) <= 0.1 * keep_count


def _is_met(case: dict[str, Any], witness: Witness) -> bool:
    result = replay(case, witness)
    return not result.false and not result.lost

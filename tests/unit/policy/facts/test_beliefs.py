"""What is believed of a model that has passed its examination, and of one that has not.

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


def test_few_beliefs_are_false_and_few_are_lost() -> None:
    results = [replay(case, "honest") for case in CASES]
    assert sum(len(result.false) for result in results) <= 0.05 * _count("refuse")
    assert sum(len(result.lost) for result in results) <= 0.1 * _count("keep")


def test_of_an_unproven_model_hardly_anything_true_is_neither_a_fact_nor_a_suggestion() -> None:
    results = [replay(case, "unproven") for case in CASES]
    assert sum(len(result.lost) for result in results) <= 0.1 * _count("keep")


def _count(column: str) -> int:
    return sum(len(case.get(column, ())) for case in CASES)


def _is_met(case: dict[str, Any], witness: Witness) -> bool:
    result = replay(case, witness)
    return not result.false and not result.lost

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from shared.llm.schemas import MAX_FACTS, EpisodeAnswer, FactsAnswer, SummaryAnswer

FACT = {
    "category": "identity",
    "key": "home_city",
    "value": "Rotterdam",
    "confidence": 1.0,
    "importance": 0.8,
    "seq": 12,
}


def test_long_texts_are_clipped_and_unknown_keys_are_ignored() -> None:
    answer = SummaryAnswer.model_validate(
        {"points": [{"text": " x" * 900, "first": 0, "last": 1, "mood": "good"}], "note": "hi"}
    )

    assert len(answer.points[0].text) == 1000


@pytest.mark.parametrize(
    "point",
    [
        {"text": "", "first": 0, "last": 1},
        {"text": "x", "first": 3, "last": 1},
        {"text": "x", "first": -1, "last": 1},
        {"text": "x"},
    ],
)
def test_a_point_that_names_no_messages_is_refused(point: Any) -> None:
    with pytest.raises(ValidationError):
        SummaryAnswer.model_validate({"points": [point]})


def test_concepts_are_bounded_and_said_once() -> None:
    concepts = ["Oslo", " Oslo ", "", *(f"c{number}" for number in range(20))]

    answer = EpisodeAnswer.model_validate({"summary": "x", "key_concepts": concepts})

    assert answer.key_concepts == ["Oslo", "c0", "c1", "c2", "c3", "c4", "c5", "c6"]


@pytest.mark.parametrize(
    "odd",
    [
        {**FACT, "category": "secret"},
        {**FACT, "confidence": 1.5},
        {**FACT, "value": "  "},
        {**FACT, "seq": None},
        "a string",
    ],
)
def test_an_odd_candidate_costs_only_itself(odd: Any) -> None:
    (fact,) = FactsAnswer.model_validate({"facts": [odd, FACT]}).facts

    assert (fact.key, fact.value, fact.retracts) == ("home_city", "Rotterdam", False)


def test_a_retraction_needs_no_value() -> None:
    (fact,) = FactsAnswer.model_validate({"facts": [{**FACT, "value": "", "retracts": True}]}).facts

    assert fact.retracts


def test_facts_are_bounded_in_number() -> None:
    assert len(FactsAnswer.model_validate({"facts": [FACT] * 100}).facts) == MAX_FACTS


def test_an_answer_without_the_list_is_refused() -> None:
    with pytest.raises(ValidationError):
        FactsAnswer.model_validate({})

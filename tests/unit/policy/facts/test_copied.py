"""What a model copies from its prompt is no fact."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.models import Heard
from shared.policy.facts.copied import without_copied
from shared.policy.facts.proposals import Proposal

PROMPT = "Note the home and the pets. I keep ostriches: {value: ostriches}"


@pytest.mark.parametrize(
    ("value", "message", "is_left"),
    [
        ("ostriches", "I keep a dog.", False),
        ("Value", "I keep a dog.", False),
        ("ostriches", "I keep ostriches.", True),
        ("two ostriches", "I keep two of them.", True),
        ("dog", "I keep a dog.", True),
        ("vegetarian", "我吃素", True),
        ("", "I have no dog any more.", True),
    ],
)
def test_a_value_of_the_prompt_counts_if_a_message_says_it(
    value: str, message: str, is_left: bool
) -> None:
    fact = Proposal(
        category="identity", key="pets", value=value, confidence=1, importance=1, seq=0,
        retracts=not value,
    )  # fmt: skip
    heard = [
        Heard(
            sequence_number=0,
            role="user",
            content=message,
            created_at=datetime(2026, 5, 20, tzinfo=UTC),
            turn=1,
        )
    ]
    assert without_copied([fact], heard, PROMPT) == [fact] * is_left

"""Who asks how long something took is given the days between the dates that were found."""

from __future__ import annotations

import pytest

from shared.policy.budget import Room
from shared.recall.prompt import recall
from shared.services import Services
from shared.timing import Steps
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.recall.test_messages import say

LINE = "- March 3, 2026 to April 15, 2026: 43 days"


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("How many days are there between my first draft and my deadline?", True),
        ("When is the deadline of my draft?", False),
    ],
)
def test_the_days_are_told_only_to_who_asks(
    product: Services, question: str, is_told: bool
) -> None:
    say(product, "My first draft was done on March 3, 2026.")
    say(product, "The deadline for the draft is April 15, 2026.")
    recalled = recall(product, NoEncoder(), Conversing(product).open(question), Steps(), Room())
    assert len(recalled.quotes) == 2
    assert (LINE in recalled.days_between) is is_told

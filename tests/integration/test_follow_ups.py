"""Sixty questions that need the last round or two: the prompt must hold what they mean."""

from __future__ import annotations

import pytest

from bench.real_model.follow_ups import FollowUp, find_missing, list_follow_ups
from shared.services import Services


@pytest.mark.parametrize("case", list_follow_ups(), ids=lambda case: case.ask)
def test_the_prompt_holds_what_a_follow_up_needs(product: Services, case: FollowUp) -> None:
    assert find_missing(product, case) == []


def test_there_are_sixty() -> None:
    assert len({(case.ask, case.rounds) for case in list_follow_ups()}) == 60

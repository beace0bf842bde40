"""The stances and their order."""

from __future__ import annotations

from typing import get_args

from shared.policy.facts.proposals import BEST_FIRST, Objection


def test_every_stance_has_a_rank() -> None:
    assert set(BEST_FIRST) == {"stated", "doubtful", *get_args(Objection)}
    assert len(set(BEST_FIRST)) == len(BEST_FIRST)

"""The stances and their order."""

from __future__ import annotations

from typing import get_args

from shared.policy.facts.proposals import BEST_FIRST, Stance


def test_every_stance_has_a_rank() -> None:
    ranked = {name for part in get_args(Stance) for name in get_args(part) or (part,)}
    assert set(BEST_FIRST) == ranked
    assert len(set(BEST_FIRST)) == len(BEST_FIRST)

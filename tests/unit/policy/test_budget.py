"""Sharing out the prompt's tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.policy.budget import ALWAYS_GIVEN_TURNS, FACTS_SHARE, Sizes, allot

COUNTS = st.lists(st.integers(1, 400), max_size=30)
SIZES = st.builds(Sizes, facts=COUNTS, gap=COUNTS, summary=COUNTS, episodes=COUNTS)


def given_tokens(sizes: Sizes, budget: int) -> int:
    taken = allot(sizes, budget)
    return (
        sum(sizes.facts[: taken.facts])
        + sum(sizes.gap[len(sizes.gap) - taken.gap :])
        + sum(sizes.summary[len(sizes.summary) - taken.summary :])
        + sum(sizes.episodes[: taken.episodes])
    )


@given(SIZES, st.integers(0, 5000))
def test_the_budget_is_kept_but_for_the_newest_round(sizes: Sizes, budget: int) -> None:
    newest = sum(sizes.gap[-ALWAYS_GIVEN_TURNS:])
    assert given_tokens(sizes, budget) <= max(budget, newest)


@given(SIZES, st.integers(0, 5000))
def test_the_tokens_that_are_told_are_those_that_are_given(sizes: Sizes, budget: int) -> None:
    assert allot(sizes, budget).tokens == given_tokens(sizes, budget)


@given(SIZES, st.integers(0, 5000))
def test_the_newest_round_is_always_given(sizes: Sizes, budget: int) -> None:
    assert allot(sizes, budget).gap >= min(len(sizes.gap), ALWAYS_GIVEN_TURNS)


@given(SIZES)
def test_with_room_for_all_nothing_is_cut(sizes: Sizes) -> None:
    total = sum(map(sum, (sizes.facts, sizes.gap, sizes.summary, sizes.episodes)))
    taken = allot(sizes, int(total / FACTS_SHARE) + 1)
    assert (taken.facts, taken.gap) == (len(sizes.facts), len(sizes.gap))
    assert (taken.summary, taken.episodes) == (len(sizes.summary), len(sizes.episodes))


def test_a_long_gap_leaves_room_for_the_summary() -> None:
    sizes = Sizes(facts=[20] * 5, gap=[100] * 200, summary=[30] * 10, episodes=[100] * 3)
    taken = allot(sizes, 4000)
    assert (taken.facts, taken.summary, taken.episodes) == (5, 10, 3)
    assert 24 <= taken.gap < 200

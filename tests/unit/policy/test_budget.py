"""The division of a prompt's tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.budget import FACTS_SHARE, Room, Sizes, allot, room_for

COUNTS = st.lists(st.integers(1, 400), max_size=30)
SIZES = st.builds(Sizes, facts=COUNTS, summary=COUNTS, episodes=COUNTS, quotes=COUNTS)


def given_tokens(sizes: Sizes, room: int, left: int) -> int:
    allotment = allot(sizes, room, left)
    return (
        sum(sizes.facts[: allotment.facts])
        + sum(sizes.summary[len(sizes.summary) - allotment.summary :])
        + sum(sizes.episodes[: allotment.episodes])
        + sum(sizes.quotes[: allotment.quotes])
    )


@given(SIZES, st.integers(0, 5000), st.integers(-500, 5000))
def test_no_more_is_given_than_the_turns_have_left(sizes: Sizes, room: int, left: int) -> None:
    assert given_tokens(sizes, room, left) <= max(0, left)


@given(SIZES, st.integers(0, 5000), st.integers(0, 5000))
def test_the_tokens_that_are_told_are_those_that_are_given(
    sizes: Sizes, room: int, left: int
) -> None:
    assert allot(sizes, room, left).tokens == given_tokens(sizes, room, left)


@given(SIZES)
def test_with_room_for_all_nothing_is_cut_but_quotes(sizes: Sizes) -> None:
    total = sum(map(sum, (sizes.facts, sizes.summary, sizes.episodes, sizes.quotes)))
    allotment = allot(sizes, int(total / FACTS_SHARE) + 1, total)
    assert (allotment.facts, allotment.summary) == (len(sizes.facts), len(sizes.summary))
    assert allotment.episodes == len(sizes.episodes)
    assert sum(sizes.quotes[: allotment.quotes]) <= sizes.quote_tokens


def test_long_turns_leave_room_for_facts_and_the_summary() -> None:
    room = Room(tokens=4000)
    sizes = Sizes(facts=[20] * 5, summary=[30] * 10, episodes=[100] * 3)
    allotment = allot(sizes, room.tokens, room.tokens - room.turns)
    assert (allotment.facts, allotment.summary, allotment.episodes) == (5, 10, 3)


@pytest.mark.parametrize(
    ("limit", "answer", "fixed", "expected"),
    [
        (None, None, 300, 8000),  # nobody knows: the setting holds
        (128_000, None, 300, 8000),
        (8192, None, 300, 5844),  # a quarter is left for the answer
        (8192, 1000, 300, 6892),
        (8192, None, 9000, 0),  # the question alone is too long: the model will say so
    ],
)
def test_a_prompt_is_never_larger_than_the_model_takes(
    limit: int | None, answer: int | None, fixed: int, expected: int
) -> None:
    room = room_for(ctx_tokens=8000, recent_tokens=3000, limit=limit, answer=answer, fixed=fixed)
    assert room == Room(tokens=expected, recent=3000)

"""A model's points, held against what was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import ConversationId, Message, Point
from shared.policy.points import attribute_points, cap_points, drop_repeats, says_the_same

SAID = (
    "My sister Marta gets seasick on the ferry.",
    "Choose a low deck near the middle of the ship.",
    "We leave on the 13th of March.",
    "Then you arrive in Oslo on Saturday morning.",
)
WORDS = st.sampled_from(
    [
        "Marta",
        "ferry",
        "deck",
        "ship",
        "March",
        "Oslo",
        "dog",
        "船",
        "九時",
        "12",
        "13",
        "the",
        "of",
    ]
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
POINTS = st.lists(
    st.builds(Point, text=TEXTS, first=st.integers(0, 9), last=st.integers(9, 12)), max_size=12
)


def message(sequence: int, text: str) -> Message:
    return Message(
        conversation_id=ConversationId("c"),
        sequence_number=sequence,
        role="assistant" if sequence % 2 else "user",
        content=text,
        status="complete",
        model=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        error=None,
    )


def messages(start: int = 6) -> list[Message]:
    return [message(start + at, text) for at, text in enumerate(SAID)]


def point(text: str, first: int, last: int | None = None) -> Point:
    return Point(text=text, first=first, last=first if last is None else last)


@pytest.mark.parametrize("first", [0, 2, 6, 9, 10**12])
def test_a_point_stands_where_its_words_were_said_whatever_its_number(first: int) -> None:
    attributed = attribute_points([point("Marta gets seasick on the ferry.", first)], messages())
    assert [(item.first, item.last) for item in attributed] == [(6, 6)]


def test_a_point_of_a_round_is_moved_to_the_round() -> None:
    text = "They leave on the 13th of March and arrive in Oslo on Saturday."
    attributed = attribute_points([point(text, 0, 1)], messages())
    assert [(item.first, item.last) for item in attributed] == [(8, 9)]


def test_numbers_that_count_from_nought_are_put_right() -> None:
    attributed = attribute_points([point(text, at) for at, text in enumerate(SAID)], messages(20))
    assert [(item.first, item.last) for item in attributed] == [(at, at) for at in (20, 21, 22, 23)]


def test_a_point_that_no_message_bears_out_is_dropped() -> None:
    points = [point(SAID[0], 6), point("Rex barked loudly.", 6, 9)]
    attributed = attribute_points(points, messages())
    assert [item.text for item in attributed] == [SAID[0]]


def test_points_in_another_language_are_believed() -> None:
    points = (point("La soeur souffre du mal de mer.", 6, 7),)
    assert attribute_points(points, messages()) == points


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("The user has a dog called Rex.", "the user has a dog, called Rex", True),
        ("Marta is seasick.", "Marta, the sister, is seasick on ferries.", True),
        ("The user wants 3 tickets.", "The user wants 4 tickets.", False),
        ("The user asked about hotels.", "The user asked about flights.", False),
        ("母は庭園が好きです。", "母は庭園が好きです", True),
        ("母は庭園が好きです。", "母は蕎麦が嫌いです。", False),
        ("Собаку зовут Рекс.", "собаку зовут Рекс", True),
    ],
)
def test_repeats_are_told_by_words_in_any_language(text: str, other: str, same: bool) -> None:
    assert says_the_same(point(text, 0), point(other, 2)) is same


@given(POINTS, POINTS)
def test_no_two_points_that_are_kept_say_the_same(new: list[Point], known: list[Point]) -> None:
    points = drop_repeats(new, known)
    assert all(not says_the_same(item, other) for item in points for other in known)
    for at, item in enumerate(points):
        assert not any(says_the_same(item, earlier) for earlier in points[:at])
    assert drop_repeats(points, known) == points


@given(POINTS, st.integers(1, 8))
def test_points_are_no_more_than_messages(points: list[Point], read: int) -> None:
    capped = cap_points(points, read)
    assert len(capped) <= max(2, read)
    assert all(sum(item.first == other.first for other in capped) <= 2 for item in capped)
    assert not points or capped


@given(POINTS)
def test_placing_moves_and_drops_but_writes_nothing(points: list[Point]) -> None:
    attributed = attribute_points(points, messages())
    texts = iter(item.text for item in points)
    assert all(item.text in texts for item in attributed)  # in order, each at most once
    assert bool(attributed) == bool(points)

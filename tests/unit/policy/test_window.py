"""The rolling summary's arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import Point, Span
from shared.policy.window import (
    gap_span,
    merge_points,
    newly_covered,
    render_points,
    slide,
    summary_due,
    summary_span,
)

WINDOWS = st.integers(2, 60)
SEQUENCES = st.integers(0, 500)
POINTS = st.lists(
    st.builds(
        lambda text, first, length: Point(text=text, first=first, last=first + length),
        st.sampled_from(("Rex is a dog.", "The ferry leaves at nine.", "船は九時に出ます。", "-")),
        st.integers(0, 100),
        st.integers(0, 10),
    ),
    max_size=12,
).map(tuple)


@pytest.mark.parametrize(
    ("last_saved", "start", "end"), [(5, 0, 5), (13, 0, 13), (15, 2, 15), (19, 6, 19)]
)
def test_the_span_is_the_newest_fourteen_messages(last_saved: int, start: int, end: int) -> None:
    assert summary_span(last_saved, 14) == Span(start=start, end=end)


@pytest.mark.parametrize(("last_saved", "due"), [(1, False), (3, False), (5, True), (7, True)])
def test_a_summary_is_due_from_the_third_round_on(last_saved: int, due: bool) -> None:
    assert summary_due(last_saved, 5) is due


@given(SEQUENCES, WINDOWS)
def test_a_span_begins_with_a_user_message_and_fits_the_window(last: int, window: int) -> None:
    span = summary_span(last, window)
    assert span.start % 2 == 0
    assert span.end == last
    assert span.end - span.start + 1 <= window


@given(SEQUENCES, WINDOWS)
def test_spans_only_move_forward(last: int, window: int) -> None:
    assert summary_span(last + 1, window).start >= summary_span(last, window).start


@pytest.mark.parametrize(
    ("summary_end", "current", "expected"),
    [
        (None, 0, None),
        (None, 6, Span(start=0, end=5)),
        (5, 6, None),
        (5, 8, Span(start=6, end=7)),
        (7, 12, Span(start=8, end=11)),
    ],
)
def test_the_gap_lies_between_the_summary_and_the_current_message(
    summary_end: int | None, current: int, expected: Span | None
) -> None:
    assert gap_span(summary_end, current) == expected


@given(st.one_of(st.none(), st.integers(0, 99)), st.integers(1, 100))
def test_summary_gap_and_current_leave_no_message_out(end: int | None, current: int) -> None:
    gap = gap_span(end, current)
    first_after_summary = 0 if end is None else end + 1
    if gap is None:
        assert first_after_summary >= current
    else:
        assert (gap.start, gap.end) == (first_after_summary, current - 1)


def test_only_what_the_base_has_not_read_is_read() -> None:
    assert newly_covered(Span(start=2, end=15), 11) == Span(start=12, end=15)
    assert newly_covered(Span(start=0, end=5), None) == Span(start=0, end=5)
    assert newly_covered(Span(start=0, end=5), 5) is None


def test_what_the_window_would_drop_at_once_is_not_read_at_all() -> None:
    assert newly_covered(Span(start=26, end=39), 5) == Span(start=26, end=39)


@given(POINTS, POINTS, SEQUENCES, WINDOWS)
def test_nothing_older_than_the_window_survives(
    base: tuple[Point, ...], new: tuple[Point, ...], last: int, window: int
) -> None:
    span = summary_span(last, window)
    merged = merge_points(base, new, span, newly_covered(span, None))
    assert all(span.start <= point.last for point in merged)


@given(POINTS, st.integers(0, 60), st.integers(0, 40))
def test_a_models_points_are_held_to_the_messages_it_was_given(
    new: tuple[Point, ...], start: int, length: int
) -> None:
    covered = Span(start=start, end=start + length)
    merged = merge_points((), new, covered, covered)
    assert all(covered.start <= p.first <= p.last <= covered.end for p in merged)
    assert len(merged) <= max(2, length + 1)
    texts = {p.text for p in new if p.first <= covered.end and p.last >= covered.start}
    assert {p.text for p in merged} <= texts
    assert bool(merged) == bool(texts)


@given(POINTS, POINTS, SEQUENCES, WINDOWS)
def test_points_that_the_window_holds_outlive_whatever_the_model_says(
    base: tuple[Point, ...], new: tuple[Point, ...], last: int, window: int
) -> None:
    span = summary_span(last, window)
    survivors = slide(base, span.start)
    assert merge_points(base, new, span, newly_covered(span, None))[: len(survivors)] == survivors


@given(POINTS, SEQUENCES, WINDOWS)
def test_a_summary_that_is_repeated_stays_as_it_is(
    new: tuple[Point, ...], last: int, window: int
) -> None:
    span = summary_span(last, window)
    once = merge_points((), new, span, span)
    assert merge_points(once, new, span, span) == once


def test_an_old_point_is_dropped_and_one_that_reaches_out_is_clamped() -> None:
    new = (
        Point(text="Rex is a dog.", first=0, last=1),
        Point(text="The ferry leaves at nine.", first=4, last=9),
    )
    merged = merge_points((), new, Span(start=0, end=7), Span(start=6, end=7))
    assert [(p.text, p.first, p.last) for p in merged] == [("The ferry leaves at nine.", 6, 7)]


@given(POINTS, SEQUENCES)
def test_points_of_the_base_that_reach_into_the_window_are_kept(
    base: tuple[Point, ...], start: int
) -> None:
    assert set(base) - set(slide(base, start)) == {p for p in base if p.last < start}


def test_memory_text_names_the_messages_of_each_point() -> None:
    points = (Point(text="Name is Alexander.", first=0, last=1),)
    assert render_points(points) == "- [0-1] Name is Alexander."

"""Times that questions name."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shared.policy.ranking.dates import read_dates

TODAY = date(2024, 4, 10)  # a Wednesday


def months_of(text: str) -> list[tuple[int | None, list[int], int | None]]:
    return [
        (named_time.year, sorted(named_time.months), named_time.day)
        for named_time in read_dates(text, TODAY)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I do in May?", (None, [5], None)),
        ("What did I do in May 2023?", (2023, [5], None)),
        ("Where was I on 7 June 2023?", (2023, [6], 7)),
        ("Where was I on June 7th, 2023?", (2023, [6], 7)),
        ("the 3rd of September", (None, [9], 3)),
        ("on 2023-06-07", (2023, [6], 7)),
        ("What happened last June?", (2023, [6], None)),
        ("What happened last February?", (2024, [2], None)),
        ("last spring", (2023, [3, 4, 5], None)),
        ("in the summer of 2022", (2022, [6, 7, 8], None)),
        ("What did I plan for 2022?", (2022, [], None)),
    ],
)
def test_months_days_years_and_seasons_are_read(text: str, expected: Any) -> None:
    assert months_of(text) == [expected]


@pytest.mark.parametrize(
    "text", ["May I ask?", "Who will march?", "She may come", "I sat in the sun", "room 1200", ""]
)
def test_words_that_only_look_like_dates_are_none(text: str) -> None:
    assert read_dates(text, TODAY) == ()


def test_two_dates_are_both_read() -> None:
    assert months_of("between 3 May 2023 and July 2023") == [(2023, [5], 3), (2023, [7], None)]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("What did I say yesterday?", date(2024, 4, 9), date(2024, 4, 8)),
        ("last week", date(2024, 4, 1), date(2024, 4, 9)),
        ("last month", date(2024, 3, 31), date(2024, 4, 1)),
        ("last year", date(2023, 1, 1), date(2024, 1, 1)),
        ("two weeks ago", date(2024, 3, 27), date(2024, 4, 9)),
        ("3 months ago", date(2024, 1, 5), date(2023, 11, 1)),
    ],
)
def test_relative_times_are_seen_from_today(text: str, inside: Any, outside: Any) -> None:
    [named_time] = read_dates(text, TODAY)
    assert named_time.matches_month(inside)
    assert not named_time.matches_month(outside)


def test_a_day_counts_above_the_next_and_the_day_before_near_nothing() -> None:
    [named_time] = read_dates("on 7 June 2023", TODAY)
    assert named_time.day_share(date(2023, 6, 7)) == 1
    assert 0 < named_time.day_share(date(2023, 6, 8)) < 1
    assert 0 < named_time.day_share(date(2023, 6, 6)) < 0.2
    assert named_time.day_share(date(2023, 6, 9)) == 0
    assert named_time.day_share(date(2023, 7, 7)) == 0
    assert named_time.day_share(date(2022, 6, 7)) == 0


def test_the_next_day_may_be_in_the_next_month_or_year() -> None:
    [april] = read_dates("on 30 April", TODAY)
    assert 0 < april.day_share(date(2023, 5, 1)) < april.day_share(date(2023, 4, 30))
    [may] = read_dates("on 1 May 2023", TODAY)
    assert 0 < may.day_share(date(2023, 4, 30)) < 0.2
    [eve] = read_dates("on 31 December", TODAY)
    assert eve.day_share(date(2024, 1, 1)) == 0.5


def test_a_day_that_does_not_exist_matches_nothing() -> None:
    [named_time] = read_dates("on 31 February", TODAY)
    assert named_time.day_share(date(2023, 2, 28)) == 0
    assert named_time.spans(TODAY, 5) == []


def test_a_month_is_not_as_exact_as_a_day() -> None:
    [named_time] = read_dates("in June 2023", TODAY)
    assert named_time.matches_month(date(2023, 6, 8))
    assert named_time.day_share(date(2023, 6, 8)) == 0


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2024, 1, 1), date(2024, 12, 31)])
def test_every_day_of_the_calendar_can_be_asked_on(today: Any) -> None:
    assert read_dates("last month, last year, 999 years ago", today)

"""The months around a time that a question names."""

from __future__ import annotations

from datetime import date

import pytest

from shared.policy.ranking.dates import read_dates

TODAY = date(2024, 3, 10)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I cook in February 2023?", [(date(2023, 2, 1), date(2023, 2, 28))]),
        ("What did I cook on 3 March 2023?", [(date(2023, 3, 1), date(2023, 3, 31))]),
        ("What did I cook in 2022?", [(date(2022, 1, 1), date(2022, 12, 31))]),
        (
            "What did I cook in May?",
            [(date(2023, 5, 1), date(2023, 5, 31)), (date(2022, 5, 1), date(2022, 5, 31))],
        ),
        ("What did I cook yesterday?", [(date(2024, 3, 9), date(2024, 3, 9))]),
        ("What did I cook?", []),
        ("What is 2024-13-45?", []),
    ],
)
def test_the_months_of_a_question_are_those_before_today(
    question: str, expected: list[tuple[date, date]]
) -> None:
    months = [
        span for time in read_dates(question, TODAY) for span in time.months_around(TODAY, years=2)
    ]
    assert months == expected

"""What becomes a title."""

from __future__ import annotations

import pytest

from shared.models import Span
from shared.policy.titles import MAX_CHARS, read_title, title_span


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Ferry to Oslo", "Ferry to Oslo"),
        ('"Ferry to Oslo."\n', "Ferry to Oslo"),
        ("\n\n**Title: Ferry to Oslo**\nI chose this because …", "Ferry to Oslo"),
        ("# Ferry to Oslo", "Ferry to Oslo"),
        ("„Fähre nach Oslo“", "Fähre nach Oslo"),
        ("C# or C++?", "C# or C++?"),
        ("<think>a trip, a ferry</think>\nFerry to Oslo", "Ferry to Oslo"),
        ("a trip, a ferry</think>\n\nFerry to Oslo", "Ferry to Oslo"),
        ('{"title": "Ferry to Oslo"}', "Ferry to Oslo"),
        ('```json\n{"title": "Ferry to Oslo"}\n```', "Ferry to Oslo"),
        ("```\nFerry to Oslo\n```", "Ferry to Oslo"),
        ("Sure! Here is a title:\n\nFerry to Oslo", "Ferry to Oslo"),
        ("<title>Ferry to Oslo</title>", "Ferry to Oslo"),
    ],
)
def test_the_first_line_is_the_title_without_what_models_put_around_it(
    answer: str, title: str
) -> None:
    assert read_title(answer) == title


@pytest.mark.parametrize(
    "answer", ["", " \n", '""', "***", "<think>Ferry to Oslo", "x" * (MAX_CHARS + 1)]
)
def test_what_is_no_title_is_none(answer: str) -> None:
    assert read_title(answer) is None


@pytest.mark.parametrize(("last", "end"), [(1, 1), (3, 3), (5, 3), (4999, 3)])
def test_a_title_is_made_from_how_the_conversation_began(last: int, end: int) -> None:
    assert title_span(last) == Span(start=0, end=end)

"""Reasoning that an answer begins with is parted from it, however it is cut into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.reasoning import ReasoningFilter


def split(pieces: list[str]) -> tuple[str, str]:
    """The answer and the reasoning."""
    reasoning_filter = ReasoningFilter()
    parts = [reasoning_filter.take(piece) for piece in pieces]
    answer = "".join(text for text, _ in parts) + reasoning_filter.finish()
    return answer, "".join(reasoning for _, reasoning in parts)


@pytest.mark.parametrize(
    ("output", "answer", "reasoning"),
    [
        ("Hello.", "Hello.", ""),
        ("<think>She asks.</think>\n\nHello.", "Hello.", "She asks."),
        ("\n<Thinking>a < b</THINKING> Hello.", "Hello.", "a < b"),
        ("<think></think>Hello.", "Hello.", ""),
        (
            "<think>İİİ is longer in lower case.</think>Hello.",
            "Hello.",
            "İİİ is longer in lower case.",
        ),
        ("<thin ice>", "<thin ice>", ""),
        ("<th", "<th", ""),
        ("  Hello <think>twice</think>", "  Hello <think>twice</think>", ""),
        ("<think>a</think>b</think>c", "b</think>c", "a"),
        ("<think>It never ends, and never ends.", "", "It never ends, and neve"),
        ("", "", ""),
    ],
)
def test_an_answer_has_no_reasoning(output: str, answer: str, reasoning: str) -> None:
    assert split([*output]) == (answer, reasoning)
    assert split([output])[0] == answer


PARTS = st.lists(
    st.sampled_from(["<think>", "</think>", "<thinking>", "<", "</", "a ", "\n", "hello"])
)


@given(PARTS, st.integers(1, 9))
def test_pieces_make_no_difference(parts: list[str], size: int) -> None:
    text = "".join(parts)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert split(pieces) == split([*text])


def test_what_never_becomes_a_mark_is_held_for_a_while_only() -> None:
    assert split([" "] * 5000)[0] == " " * 5000
    assert ReasoningFilter().take(" " * 2000) == (" " * 2000, "")

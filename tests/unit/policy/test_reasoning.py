"""Reasoning that an answer begins with is parted from it, however it is cut into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.reasoning import ReasoningFilter, without_reasoning
from shared.policy.reasoning_marks import BLOCKS, LONE_ENDS, Block

HARMONY_END = "<|end|><|start|>assistant<|channel|>final<|message|>"


def split(pieces: list[str]) -> tuple[str, str]:
    """The answer and the reasoning."""
    reasoning_filter = ReasoningFilter()
    answer, reasoning = "", ""
    for parts in [*map(reasoning_filter.take, pieces), reasoning_filter.finish()]:
        if parts.retracts:
            answer, reasoning = "", reasoning + answer
        answer, reasoning = answer + parts.text, reasoning + parts.reasoning
    return answer, reasoning


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
        ("<think>a</think>\n<think>b</think>\n</think>\nc", "c", "ab"),
        ("<think>It never ends.", "", "It never ends."),
        (f"<|channel|>analysis<|message|>a{HARMONY_END}b<|return|>", "b", "a"),
        ("<|channel|>commentary to=functions.f <|message|>{}<|call|>b", "b",
         "functions.f <|message|>{}"),
        ("<|channel|>final<|message|>b", "b", ""),
        ("a plan\n</think>\n\nHello.", "Hello.", "a plan\n"),
        ("a plan</think>Hello.", "Hello.", "a plan"),
        ("ein Plan. </think>\nhallo", "hallo", "ein Plan. "),
        ("计划</think>答案", "答案", "计划"),
        ("</think>\n\nHello.", "Hello.", ""),
        ("a plan\n</think>", "", "a plan\n"),
        ("Write `</think>` at the end.", "Write `</think>` at the end.", ""),
        ("The tag </think> ends it.", "The tag </think> ends it.", ""),
        ("<b>: between <think> and </think>\n", "<b>: between <think> and </think>\n", ""),
        ("Code:\n```\na\n</think>\n```\n", "Code:\n```\na\n</think>\n```\n", ""),
        ('{"text": "a\n</think>\nb"}', '{"text": "a\n</think>\nb"}', ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_an_answer_has_no_reasoning(output: str, answer: str, reasoning: str) -> None:
    assert split([*output]) == (answer, reasoning)
    assert split([output]) == (answer, reasoning)
    assert without_reasoning(output) == answer.strip()


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.is_reasoning])
def test_every_block_is_known_in_any_case(block: Block) -> None:
    assert split([*f"{block.begin.upper()}a plan{block.ends[0]}\nHello."]) == ("Hello.", "a plan")


@pytest.mark.parametrize("end", LONE_ENDS)
def test_every_end_is_known_without_its_beginning(end: str) -> None:
    assert split([*f"a plan\n{end}\n\nHello."]) == ("Hello.", "a plan\n")


PARTS = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<thinking>", "<|channel|>", "final<|message|>", "<|end|>", "<",
         "</", "[THINK]", "a ", "\n", "`", "```", "{", "hello"]
    )
)  # fmt: skip


@given(PARTS, st.integers(1, 9))
def test_pieces_make_no_difference(parts: list[str], size: int) -> None:
    text = "".join(parts)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert split(pieces) == split([*text]) == split([text])


def test_what_never_becomes_a_mark_is_held_for_a_while_only() -> None:
    assert split([" "] * 5000)[0] == " " * 5000
    assert ReasoningFilter().take(" " * 2000).text == " " * 2000

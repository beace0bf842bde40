"""How a pasted list of what another assistant remembers is cut into entries."""

from __future__ import annotations

import pytest

from shared.policy.facts.memory_lists import cut_list
from shared.policy.facts.values import MAX_VALUE_CHARS


def entries(text: str) -> list[str]:
    return list(cut_list(text).entries)


@pytest.mark.parametrize(
    "line",
    [
        "Likes tea",
        "- Likes tea",
        "  * Likes tea",
        "• Likes tea",
        "1. Likes tea",
        "12) Likes tea",
        "(3) Likes tea",
        "[x] Likes tea",
        "[2024-05-01] - Likes tea",
        "1. [2024-05-01]. Likes tea",
        "[unknown] - Likes tea",
        "2024-05-01: Likes tea",
        "2024-05 – Likes tea",
        "- Likes tea (2024-05-01)",
        "- **Likes** tea",
        "- “Likes tea”",
        '"Likes tea"',
    ],
)
def test_an_entry_is_what_stands_behind_its_marks(line: str) -> None:
    assert entries(line) == ["Likes tea"]


def test_headings_and_the_talk_around_a_list_are_left_out() -> None:
    cut = cut_list(
        "Here is what I know:\n\n## Work\n- Is a nurse\n**Home**\n```text\n- Lives in Oslo\n---\n"
        "Let me know what to change!"
    )
    assert cut.entries == ("Is a nurse", "Lives in Oslo")
    assert cut.left_out == (
        "Here is what I know:",
        "Work",
        "Home",
        "Let me know what to change!",
    )


def test_lines_without_marks_are_entries_and_prose_is_cut_into_sentences() -> None:
    assert entries("Is a nurse\nLives in Oslo") == ["Is a nurse", "Lives in Oslo"]
    prose = "**Work**\n\nAda works with Dr. Bull in the U.S. and likes it. She is a nurse."
    assert entries(prose) == [
        "Ada works with Dr. Bull in the U.S. and likes it.",
        "She is a nurse.",
    ]
    assert entries("田中さんは大阪に住んでいます。猫が好きです。") == [
        "田中さんは大阪に住んでいます。",
        "猫が好きです。",
    ]


def test_a_bullet_stays_whole_and_goes_on_in_indented_lines() -> None:
    assert entries("- Has a dog. It is called Rex,\n  and barks\n- Reads") == [
        "Has a dog. It is called Rex, and barks",
        "Reads",
    ]
    long = "Reads a lot. " * (MAX_VALUE_CHARS // 10)
    assert set(entries(f"- {long}")) == {"Reads a lot."}


def test_what_stands_twice_is_given_once_and_signs_alone_are_nothing() -> None:
    assert entries("- Reads\n- Reads\n- 12\n***\n \n") == ["Reads"]
    assert entries("") == []


def test_a_number_or_a_minus_within_a_line_is_no_mark() -> None:
    assert entries("3.5 km are run daily\n-5 °C is too cold") == [
        "3.5 km are run daily",
        "-5 °C is too cold",
    ]

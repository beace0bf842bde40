"""Comparison of texts by their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.wording import LIGHT, find_content, find_words, numbers, overlap

TEXTS = st.text(max_size=200)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("The ferry to Oslo", {"The", "ferry", "oslo"} - {"The"} | {"the"}),
        ("the cat is on the mat", set()),
        ("at 14:30 for 1,200", {"14", "30", "1", "200"}),
        ("ＲＥＸ rennt", {"rex", "rennt"}),
        ("船は九時", {"船は", "は九", "九時"}),
        ("猫", {"猫"}),
        ("ทะเล", {"ทะ", "ะเ", "เล"}),
        ("Straße STRASSE", {"stras"}),
    ],
)
def test_content_words_are_found_without_a_list_of_any_language(
    text: str, content: set[str]
) -> None:
    assert find_content(text) == content


@given(TEXTS, TEXTS)
def test_likeness_is_a_share_and_the_same_both_ways(text: str, other: str) -> None:
    left, right = find_words(text), find_words(other)
    assert 0 <= overlap(left, right) <= 1
    assert overlap(left, right) == pytest.approx(overlap(right, left))
    assert not left or overlap(left, left) == pytest.approx(1)


@given(TEXTS)
def test_case_and_order_change_nothing(text: str) -> None:
    words = find_words(text.lower())
    assert find_words(" ".join(reversed(text.lower().split()))).keys() >= numbers(words)
    assert all(weight in (LIGHT, 1.0) for weight in words.values())

"""Which words are forms of one word."""

from __future__ import annotations

import pytest

from shared.policy.facts.grounding.likeness import HALF_LIKE, likeness


@pytest.mark.parametrize(
    ("word", "other"),
    [("engineer", "engineers"), ("software", "softwareentwickler"), ("cat", "cats")],
)
def test_endings_and_compounds_are_forms_of_a_word(word: str, other: str) -> None:
    assert likeness(word, other, is_name=False) == 1


@pytest.mark.parametrize(
    ("word", "other"), [("cat", "castle"), ("car", "caravan"), ("to", "tower")]
)
def test_a_common_beginning_alone_is_not_enough(word: str, other: str) -> None:
    assert likeness(word, other, is_name=False) == 0


def test_a_name_in_the_genitive_is_the_same_name() -> None:
    assert likeness("martin", "martins", is_name=True) == 1


def test_a_name_with_another_ending_may_be_another_persons() -> None:
    assert likeness("martin", "martina", is_name=True) == HALF_LIKE

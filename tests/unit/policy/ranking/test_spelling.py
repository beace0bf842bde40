from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from shared.policy.ranking.spelling import (
    choose_correction,
    list_correctable,
    list_variants,
    replace_words,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.text(LETTERS, min_size=4, max_size=12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where is Barcelna, barcelna?", ["where", "barcelna"]),
        ("the cat sat", []),
        ("Room4711 and v1rus", []),
        ("I don't, she doesn’t, Barcelna's", ["barcelna"]),
        ("'quoted' over-there", ["quoted", "over", "there"]),
        ("日本語日本 คำไทยยาว 한국어한국 москва", ["москва"]),
        ("x" * 33, []),
    ],
)
def test_words_of_four_letters_and_more_are_correctable_where_words_are_spaced(
    text: str, words: list[str]
) -> None:
    assert list_correctable(text) == words


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("barcelna", "barcelona"),  # dropped
        ("barrcelona", "barcelona"),  # doubled
        ("bracelona", "barcelona"),  # swapped
        ("barcilona", "barcelona"),  # replaced
        ("abrcelona", "barcelona"),  # swapped at the beginning
        ("brcelna", None),  # two errors in seven letters
        ("bracelna", "barcelona"),  # and in eight
        ("varcelona", None),  # another first letter
        ("barcelona", None),  # what was typed itself
    ],
)
def test_one_error_is_forgiven_and_two_in_a_long_word(word: str, meant: str | None) -> None:
    assert choose_correction(word, {"barcelona": 1, "granada": 9}) == meant


def test_the_nearest_is_meant_and_then_the_one_said_most_often() -> None:
    word_counts = {"painted": 9, "painter": 2, "painters": 7}
    assert choose_correction("paintrs", word_counts) == "painters"
    assert choose_correction("paintex", {"painted": 2, "painter": 9}) == "painter"
    assert choose_correction("paintex", {"painter": 2, "painted": 2}) == "painted"


@given(WORDS, st.integers(0, 11), st.sampled_from(LETTERS))
def test_every_single_error_leads_back_to_the_word(word: str, at: int, letter: str) -> None:
    at = 1 + at % (len(word) - 1)
    wrongs = {
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
    }
    for wrong in wrongs - {word}:
        assert word in list_variants(wrong)


@given(WORDS)
def test_variants_are_one_error_away_and_no_more(word: str) -> None:
    variants = list_variants(word)
    assert len(set(variants)) == len(variants)
    assert {OSA.distance(word, other) for other in variants} == {1}


@pytest.mark.parametrize(("wrong", "right"), [("zurihc", "zurich"), ("масква", "москва")])
def test_letters_of_the_words_alphabet_are_tried(wrong: str, right: str) -> None:
    assert right in list_variants(wrong)


def test_words_are_replaced_wherever_they_stand_and_keep_their_capital() -> None:
    text = "Barcelna's zoo; barcelna, not barcelnas."
    assert replace_words(text, {"barcelna": "barcelona"}) == (
        "Barcelona's zoo; barcelona, not barcelnas."
    )


def test_nothing_meant_nothing_replaced() -> None:
    assert replace_words("Any Words at all", {}) == "Any Words at all"

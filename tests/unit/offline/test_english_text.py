from __future__ import annotations

import pytest

from shared.offline.english_text import clip, list_terms, slug, split_sentences


def test_sentences_end_where_sentences_end() -> None:
    assert split_sentences("It is 3.5 m. Really? Yes!\nNew line") == [
        "It is 3.5 m.",
        "Really?",
        "Yes!",
        "New line",
    ]


def test_forms_of_a_word_meet_and_common_words_go() -> None:
    assert list_terms("I moved the dogs") == list_terms("moving a dog") == ["mov", "dog"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Dark Green!", "dark_green"), ("the", "the"), ("Crème brûlée", "crme_brle"), ("", "")],
)
def test_a_slug_is_snake_case(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_clipping_leaves_whole_words_in_one_line() -> None:
    assert clip("one two\n three", 9) == "one two…"
    assert clip("one two", 9) == "one two"

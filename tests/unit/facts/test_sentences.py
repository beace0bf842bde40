"""Facts as sentences: read whole by the grammar, or kept word for word."""

from __future__ import annotations

import pytest

from shared.facts.sentences import read_sentence
from shared.policy.facts.values import MAX_VALUE_CHARS


@pytest.mark.parametrize(
    ("sentence", "slot", "value"),
    [
        ("I am allergic to peanuts", ("constraint", "allergy_peanuts"), "peanuts"),
        ("I'm allergic to peanuts.", ("constraint", "allergy_peanuts"), "peanuts"),
        ("  I moved   to Bergen.", ("identity", "home"), "Bergen"),
        ("My name is Ada", ("identity", "name"), "Ada"),
        ("My favourite colour is green", ("preference", "favourite_colour"), "green"),
        ("I hate coriander", ("preference", "coriander"), "hates coriander"),
        ("My dog is called Rex", ("identity", "dog_name"), "Rex"),
        ("Always answer briefly", ("instruction", "answer_briefly"), "always answer briefly"),
    ],
)
def test_a_plain_sentence_gets_the_slot_of_what_it_says(
    sentence: str, slot: tuple[str, str], value: str
) -> None:
    statement = read_sentence(sentence)
    assert ((statement.category, statement.key), statement.value) == (slot, value)


@pytest.mark.parametrize(
    "sentence",
    [
        "I live in Oslo with my two cats",  # the cats would be lost
        "I live in Oslo and my office is in Bergen",
        "Maybe I live in Rome",
        "I no longer live in Rome",
        "My sister is allergic to nuts",
        "Ich wohne in Oslo",
        "私は大阪に住んでいます",
        "Since the long winter of my first year there I live in Oslo",
        "In summer I live in Oslo",
        "On Mondays I work at Google",
        "For breakfast I like eggs",
        "Do I live in Rome",
        "x" * MAX_VALUE_CHARS,
    ],
)
def test_any_other_sentence_is_kept_word_for_word(sentence: str) -> None:
    statement = read_sentence(sentence)
    assert statement.value == sentence
    assert statement.key.startswith("statement_")


def test_the_same_words_have_the_same_slot_and_others_have_another() -> None:
    keys = [read_sentence(text).key for text in ("I use a wheelchair", "i use a wheelchair.")]
    assert keys[0] == keys[1] != read_sentence("I use a crutch").key

"""What others say of the user, as the user would say it."""

from __future__ import annotations

import pytest

from shared.policy.facts.first_person import in_first_person


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("User prefers tea", "I prefer tea"),
        ("The user is a nurse", "I am a nurse"),
        ("the user's name is Ada", "My name is Ada"),
        ("User’s dog is called Rex", "My dog is called Rex"),
        ("You are vegetarian", "I am vegetarian"),
        ("You're vegetarian", "I am vegetarian"),
        ("You live in Oslo", "I live in Oslo"),
        ("Your name is Ada", "My name is Ada"),
        ("Ada teaches maths", "I teach maths"),
        ("Ada Lovelace studies law", "I study law"),
        ("Ada's sister lives in Rome", "My sister lives in Rome"),
        ("User doesn't eat pork", "I do not eat pork"),
        ("User currently lives in Oslo", "I currently live in Oslo"),
        ("Prefers short answers", "I prefer short answers"),
        ("Has two cats", "I have two cats"),
        ("Allergic to nuts", "I am allergic to nuts"),
    ],
)
def test_a_sentence_about_the_user(sentence: str, expected: str) -> None:
    assert in_first_person(sentence, ["Ada Lovelace", "Ada"]) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Bob lives in Oslo",
        "Adam lives in Oslo",
        "Userland is a word",
        "Young people",
        "Du bist",
        "Ada",
    ],
)
def test_other_sentences_are_left_alone(sentence: str) -> None:
    assert in_first_person(sentence, ["Ada"]) is None

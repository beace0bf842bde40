"""What a reply was given and says again. The measure's limits are tested, too."""

from __future__ import annotations

import pytest

from shared.policy.reuse import Answered

WHERE = Answered("Where do I live?", "You live in Bergen, close to the harbour.")


@pytest.mark.parametrize(
    ("value", "is_said"),
    [
        ("Bergen", True),
        ("bergen.", True),
        ("Oslo", False),
        ("Bergen in Norway", False),
        ("", False),
    ],
)
def test_a_fact_is_said_if_all_of_its_value_is(value: str, is_said: bool) -> None:
    assert WHERE.says_value(value) is is_said


def test_what_the_question_said_already_proves_nothing() -> None:
    assert not Answered("I moved to Bergen.", "Noted. You live in Bergen.").says_value("Bergen")


@pytest.mark.parametrize("name", ["Tom", "Ana", "Al"])
def test_a_name_is_said_as_a_whole_word(name: str) -> None:
    reply = "I want to show you a tomb, on the way to all of it."
    assert not Answered("Where to?", reply).says_value(name)
    assert Answered("Who comes?", f"{name}'s family.").says_value(name)


def test_numbers_count_as_they_are() -> None:
    assert Answered("How old am I?", "You are 34.").says_value("34")
    assert not Answered("How old am I?", "You are 34.").says_value("43")


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("My boat Albatross needs paint.", True),  # its name
        ("We met 17 people there.", True),  # a number
        ("The harbour smells of tar and fish in summer.", True),  # several words
        ("There was fish for dinner.", False),  # one word by chance
        ("Completely different things.", False),
    ],
)
def test_a_message_is_said_by_a_name_a_number_or_several_words(text: str, is_said: bool) -> None:
    reply = "Albatross lies there with 17 others; in summer the harbour smells of fish."
    assert Answered("Where is my boat?", reply).says_some(text) is is_said


def test_other_words_for_the_same_are_not_seen() -> None:
    assert not Answered("What can I cook?", "Leave out the nuts.").says_value("peanut butter")

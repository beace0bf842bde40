from __future__ import annotations

from typing import Any

import pytest

from shared.offline.replies.canned import (
    FORGOTTEN_WORDS,
    NEEDS_MODEL,
    NOT_REMEMBERED,
    NOTHING_LEARNED,
)
from tests.unit.offline.replies.asking import reply


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        ("I'm allergic to peanuts.", "Noted. You are allergic to peanuts."),
        ("My name is Kim and I live in Delft.", "Noted. Your name is Kim. You live in Delft."),
        ("My cat is called Biscuit.", "Noted. Your cat's name is Biscuit."),
        ("I no longer like tea.", "Noted: that no longer holds (tea)."),
        ("The ferry leaves from Kiel.", NOTHING_LEARNED),
        ("Thanks!", "You're welcome!"),
    ],
)
def test_a_statement_is_acknowledged_with_what_was_understood(statement: str, answer: Any) -> None:
    assert reply(statement) == answer


def test_a_greeting_is_returned_by_name_and_says_what_it_comes_from() -> None:
    answer = reply("Hello!")

    assert answer.startswith("Hello, Alexander!")
    assert "not a language model" in answer
    assert reply("How are you?") == answer


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("I'm vegan. Suggest a dinner.", f"Noted. You are vegan.\n\n{NEEDS_MODEL}"),
        (
            "My dog is called Rex. What is my name?",
            "Noted. Your dog's name is Rex.\n\nYour name is Alexander.",
        ),
        ("We have two kids, Mia and Leo.", "Noted. Your kids' names are Mia and Leo."),
        ("I live in Oslo for now.", NOTHING_LEARNED),
        ("Ich wohne in Berlin.", NOTHING_LEARNED),
        ("ok", "All right."),
        ("Bye!", "Goodbye!"),
        ("Forget my name.", "Forgotten: name."),
        ("Forget my shoe size.", FORGOTTEN_WORDS),
        ("Don't remember this, but I live in Ulm.", NOT_REMEMBERED),
        ("I am anything but vegan.", NOTHING_LEARNED),
        ("I was born on 1984-05-12.", "Noted. Your birthday is on 1984-05-12."),
    ],
)
def test_a_message_gets_what_it_is_due(message: str, answer: Any) -> None:
    assert reply(message) == answer

"""What people are called in their talks."""

from __future__ import annotations

import pytest

from shared.policy.ranking.nicknames import (
    Beginning,
    choose_nicknames,
    is_address,
    list_unknown_names,
)


@pytest.mark.parametrize(
    "text", ["Kate!", "Hey Kate, are you in?", "Good morning Kate", "Kate, I am late", "Kate\n\nHi"]
)
def test_an_address_stands_among_the_first_words(text: str) -> None:
    assert is_address(text, "Kate")


@pytest.mark.parametrize(
    "text",
    ["Kate Bush sang it", "I think that Kate knows", "Hello Katerina", "Kate\u2019s cat", "kate?"],
)
def test_another_name_or_a_mention_is_none(text: str) -> None:
    assert not is_address(text, "Kate")


def test_words_with_a_capital_may_be_names_but_for_the_first() -> None:
    assert list_unknown_names("Where did Kate\u2019s aunt meet Emi in Rome?", {"Emi"}) == [
        "Kate",
        "Rome",
    ]


def test_who_is_addressed_again_and_again_is_called_so() -> None:
    kate = [Beginning("Kate", "Emi", "Hey Kate!")] * 3
    assert choose_nicknames(kate) == {"Kate": "Emi"}
    assert choose_nicknames(kate[:2]) == {}


def test_a_name_for_two_people_is_nobodys() -> None:
    both = [Beginning("Kate", name, "Hey Kate!") for name in ("Emi", "Bo", "Emi", "Bo")]
    assert choose_nicknames(both) == {}

"""Screening: what is believed of a trusted model, and what of another."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.facts.screen import screen
from tests.unit.policy.facts.screening import Proposal, fate, screened
from tests.unit.policy.facts.test_batch import heard

REX = Proposal(key="dog_name", value="Rex")
SKODA = Proposal(key="car", value="a Skoda")
NUTS = Proposal(category="constraint", key="allergy_nuts", value="nuts")

FILLER = (
    "Which is the tallest mountain in Europe?",
    "Please explain compound interest.",
    "The weather was fine yesterday.",
)


@given(place=st.integers(0, 3), seq=st.integers(0, 40))
def test_a_wrong_seq_never_changes_which_message_is_found(place: int, seq: int) -> None:
    texts = [*FILLER[:place], "I live in Rome.", *FILLER[place:]]
    (fact,) = screened(Proposal(seq=seq), *texts).stated
    assert fact.seq == 2 * place


def test_of_two_messages_that_say_it_the_cited_one_is_meant_else_the_newest() -> None:
    texts = ("I live in Rome.", "Yes, I live in Rome.", "What else?")
    assert [screened(Proposal(seq=seq), *texts).stated[0].seq for seq in (0, 2, 4)] == [0, 2, 2]


def test_what_is_only_on_record_grounds_nothing() -> None:
    assert fate(Proposal(), "Hello again, old friend.", known=[Proposal()]) == "ungrounded"


@pytest.mark.parametrize(
    ("labels", "outcome"),
    [
        ({}, "stated"),
        ({"whose": "other"}, "model"),
        ({"whose": "nobody"}, "model"),
        ({"how": "supposed"}, "model"),
        ({"how": "quoted"}, "model"),
        ({"how": "denied"}, "model"),
        ({"when": "past"}, "model"),
        ({"when": "future"}, "model"),
        ({"keep": False}, "unwanted"),
        ({"when": "while"}, "doubtful"),
        ({"how": "unknown"}, "doubtful"),
        ({"confidence": 0.5}, "doubtful"),
    ],
)
def test_a_trusted_model_is_taken_at_its_word(labels: dict[str, Any], outcome: str) -> None:
    assert fate(Proposal(**labels), "Rome it is, for me and for my cats.") == outcome


def test_what_was_belongs_to_a_key_that_says_so() -> None:
    assert fate(Proposal(key="birthplace", when="past"), "I was born in Rome.") == "stated"


@pytest.mark.parametrize(
    ("text", "value", "outcome"),
    [
        ("My name is Ada.", "Ada", "stated"),
        ("Hello! My name is Ada. I live in Rome.", "Ada", "stated"),
        ("Ich heiße Ada.", "Ada", "stated"),
        ("我叫小雨。", "小雨", "stated"),
        ("Ada is what they call me.", "Ada", "doubtful"),
        ("My name is Ada. No, wait, I meant Eva.", "Ada", "doubtful"),
        ("My name is Ada, as in the book.", "Ada", "doubtful"),
        ("My cat likes fish.", "Ada", "ungrounded"),
    ],
)
def test_another_model_only_suggests_but_for_the_plainest_sentences(
    text: str, value: str, outcome: str
) -> None:
    assert fate(Proposal(key="name", value=value), text, is_trusted=False) == outcome


def test_another_model_ends_nothing() -> None:
    ended = Proposal(key="car", value="", retracts=True)
    assert fate(ended, "I sold the car.", known=[SKODA], is_trusted=False) == "untrusted"


@pytest.mark.parametrize(
    ("value", "quote", "outcome"),
    [
        ("vegetarian", "I eat no meat", "stated"),
        ("vegetarian", "I'm a vegetarian", "ungrounded"),
        ("three cats", "I eat no meat", "ungrounded"),
        ("friend of Kim", "I eat no meat", "ungrounded"),
    ],
)
def test_the_quote_stands_for_a_value_in_other_words_but_for_numbers_and_names(
    value: str, quote: str, outcome: str
) -> None:
    proposal = Proposal(category="constraint", key="diet", value=value, quote=quote)
    assert fate(proposal, "As you know, I eat no meat.") == outcome


@pytest.mark.parametrize(
    "text",
    [
        "Is this true?\n> I live in Rome.",
        "Who wrote “I live in Rome, near the river”?",
        "```\nI live in Rome\n```\nWhy does it fail?",
        "Tom: I live in Rome\nEva: So do I",
    ],
)
def test_what_stands_in_material_alone_is_quoted(text: str) -> None:
    assert fate(Proposal(), text) == "quoted"


@pytest.mark.parametrize(
    ("text", "proposal", "known"),
    [
        ("Rex died on Sunday.", REX, REX),
        ("I sold the car.", SKODA, SKODA),
        ("I sold the Skoda.", Proposal(key="car", value="Skoda"), SKODA),
        ("Ich habe den Skoda verkauft.", Proposal(key="car", value=""), SKODA),
        ("Sprzedałem Skodę.", Proposal(key="car", value=""), SKODA),
    ],
)
def test_an_end_needs_the_name_or_the_key_in_a_message(
    text: str, proposal: Proposal, known: Proposal
) -> None:
    ended = Proposal(key=proposal.key, value=proposal.value, retracts=True)
    (fact,) = screened(ended, text, known=[known]).stated
    assert (fact.value, fact.retracts) == ("", True)
    assert fate(ended, "Something else has ended.", known=[known]) == "ungrounded"


def test_what_may_harm_ends_in_plain_words_alone() -> None:
    ended = Proposal(category="constraint", key="allergy_nuts", value="", retracts=True)
    text = "No, thanks, nuts are too expensive."
    assert fate(ended, text, known=[NUTS]) == "ungrounded"
    quoted = Proposal(
        category="constraint", key="allergy_nuts", value="", retracts=True,
        quote="I'm not allergic to nuts any more",
    )  # fmt: skip
    assert fate(quoted, "Good news: I'm not allergic to nuts any more.", known=[NUTS]) == "stated"


def test_the_end_of_another_thing_keeps_its_value_and_so_ends_nothing_that_is_held() -> None:
    proposal = Proposal(key="car", value="a Fiat", retracts=True)
    (fact,) = screened(proposal, "The Fiat was never mine.", known=[SKODA]).stated
    assert (fact.value, fact.retracts) == ("a Fiat", True)


@pytest.mark.parametrize(
    ("until", "key", "is_kept"),
    [
        (date(2026, 1, 9), "temporary_home_city", True),
        (date(2025, 12, 1), "home_city", False),
    ],
)
def test_a_day_until_which_it_holds_lies_ahead(until: date, key: str, is_kept: bool) -> None:
    (fact,) = screened(Proposal(until=until), "I'm in Rome until the 9th.").stated
    assert (fact.key, fact.until == until) == (key, is_kept)


def test_one_sentence_teaches_three_facts_whatever_is_proposed() -> None:
    proposals = [Proposal(key=f"k{number}", importance=0.5) for number in range(40)]
    outcome = screen(proposals, heard("I live in Rome."), [], is_trusted=True)
    assert (len(outcome.stated), outcome.refused["many"]) == (3, 37)


def test_a_message_gives_a_slot_one_value_and_a_number_one_slot() -> None:
    text = "I've got 3 cats and 12 chickens."
    proposals = [
        Proposal(key="cats", value="3"),
        Proposal(key="chickens", value="12"),
        Proposal(key="cats", value="12"),
    ]
    outcome = screen(proposals, heard(text), [], is_trusted=True)
    assert [(fact.key, fact.value) for fact in outcome.stated] == [
        ("cats", "3"),
        ("chickens", "12"),
    ]


def test_instructions_and_constraints_of_an_import_wait_for_the_user() -> None:
    diet = Proposal(category="constraint", key="diet", value="vegan")
    assert screened(diet, "I'm vegan.", is_imported=True).doubtful
    assert screened(diet, "I'm vegan.").stated

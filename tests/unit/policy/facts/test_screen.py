"""Screening: the message that supports a proposal, ends and replacements, doubtful facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.policy.facts.screening import Proposal, fate, screened

REX = Proposal(key="dog_name", value="Rex")
SKODA = Proposal(key="car", value="a Skoda")

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


def test_a_message_that_states_it_beats_a_cited_one_that_asks() -> None:
    (fact,) = screened(Proposal(seq=2), "I live in Rome.", "Do I live in Rome?").stated
    assert fact.seq == 0


def test_what_is_only_on_record_grounds_nothing() -> None:
    assert fate(Proposal(), "Hello again, old friend.", known=[Proposal()]) == "ungrounded"


def test_the_example_of_the_prompt_is_refused_wherever_it_is_copied_to() -> None:
    for value in ("Rotterdam", "WORDS OF THE MESSAGE", "SLOT"):
        assert fate(Proposal(value=value, seq=12), *["My dog is called Rex."] * 8) == "ungrounded"


def test_a_retraction_with_another_value_is_a_replacement() -> None:
    (fact,) = screened(
        Proposal(key="dog_name", value="Max", retracts=True), "we renamed him Max", known=[REX]
    ).stated
    assert (fact.value, fact.retracts) == ("Max", False)


def test_so_is_one_of_what_the_same_answer_states() -> None:
    """Both messages were read at once, so nothing is on record yet."""
    both = ("My dog is called Rex.", "We renamed him Max.")
    (fact,) = screened(Proposal(key="dog_name", value="Max", retracts=True), *both).stated
    assert not fact.retracts


@pytest.mark.parametrize(
    ("text", "proposal", "known"),
    [
        ("Rex died on Sunday.", REX, REX),
        ("I sold the car.", SKODA, SKODA),
        ("I sold the Skoda.", Proposal(key="car", value="Skoda"), SKODA),
        ("Ich habe den Skoda verkauft.", Proposal(key="car", value=""), SKODA),
        ("Sprzedałem Skodę.", Proposal(key="car", value=""), SKODA),
        ("I don't ski any more.", Proposal(key="hobby", value=""), Proposal(key="hobby")),
    ],
)
def test_an_end_is_one_where_a_message_tells_of_it(
    text: str, proposal: Proposal, known: Proposal
) -> None:
    ended = Proposal(key=proposal.key, value=proposal.value, retracts=True)
    (fact,) = screened(ended, text, known=[known]).stated
    assert (fact.value, fact.retracts) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        "Which is the tallest mountain in Europe?",
        "Should I sell the car?",
        "If I sold the car, what would I get for it?",
        "I might sell the car.",
        "My car is at the garage.",
    ],
)
def test_a_retraction_that_no_message_tells_of_is_refused(text: str) -> None:
    ended = Proposal(key="car", value="", retracts=True)
    outcome = screened(ended, text, known=[SKODA])
    assert (outcome.stated, outcome.doubtful, outcome.refused["ungrounded"]) == ([], [], 1)


def test_the_end_of_another_thing_keeps_its_value_and_so_ends_nothing_that_is_held() -> None:
    proposal = Proposal(key="car", value="a Fiat", retracts=True)
    (fact,) = screened(proposal, "The Fiat was never mine.", known=[SKODA]).stated
    assert (fact.value, fact.retracts) == ("a Fiat", True)


def test_what_the_model_is_unsure_of_is_doubtful_and_its_confidence_low() -> None:
    (fact,) = screened(Proposal(confidence=0.55), "I live in Rome.").doubtful
    assert fact.confidence <= 0.5


def test_a_value_that_is_half_there_is_doubtful() -> None:
    text = "I'm a backend engineer."
    assert fate(Proposal(key="job", value="backend developer"), text) == "doubtful"


@pytest.mark.parametrize("category", ["instruction", "constraint"])
def test_what_steers_and_comes_from_an_import_waits(category: str) -> None:
    proposal = Proposal(category=category, key="rule", value="short answers")  # type: ignore[arg-type]
    outcome = screened(proposal, "I want short answers.", is_imported=True)
    assert (outcome.stated, len(outcome.doubtful)) == ([], 1)


def test_an_allergy_is_a_constraint_whatever_the_model_calls_it() -> None:
    proposal = Proposal(key="allergic_to", value="nuts")
    assert screened(proposal, "I'm allergic to nuts.", is_imported=True).doubtful


def test_who_the_user_is_may_be_learned_from_an_import() -> None:
    assert screened(Proposal(), "I live in Rome.", is_imported=True).stated


def test_refusals_are_counted_by_reason() -> None:
    assert screened(Proposal(), "Do I live in Rome?").refused == {"question": 1}


def test_the_end_of_what_a_weekday_names_is_no_end_of_what_a_date_names() -> None:
    appointment = Proposal(key="appointment", value="dentist on Friday 2026-05-22")
    ended = Proposal(key="appointment", value="dentist 2026-05-21", retracts=True)
    (fact,) = screened(
        ended, "The dentist of 2026-05-21 is no longer mine.", known=[appointment]
    ).stated
    assert fact.value == "dentist 2026-05-21"


@pytest.mark.parametrize(
    "words",
    [
        "The Skoda broke down again.",
        "My brother sold his Skoda.",
        "Der Skoda springt heute nicht an.",
        "Škoda dnes nejede.",
    ],
)
def test_what_a_thing_does_or_others_do_ends_nothing_though_the_model_is_sure(words: str) -> None:
    held = Proposal(key="car", value="Skoda")
    ended = Proposal(key="car", value="", retracts=True, whose="user", how="stated", when="now")
    assert not screened(ended, words, known=[held]).stated


@pytest.mark.parametrize(
    "words", ["I gave the Skoda to my aunt.", "Sold the Skoda.", "Den Skoda habe ich verschenkt."]
)
def test_what_the_user_does_ends_a_fact_if_the_model_is_sure(words: str) -> None:
    held = Proposal(key="car", value="Skoda")
    ended = Proposal(key="car", value="", retracts=True, whose="user", how="stated", when="now")
    assert screened(ended, words, known=[held]).stated


def test_a_value_takes_the_place_of_another_only_where_the_user_or_the_thing_is_named() -> None:
    held = Proposal(key="rent", value="900 euros")
    new = Proposal(key="rent", value="1400 euros")
    assert fate(new, "The one in the shop costs 1400 euros.", known=[held]) == "doubtful"
    assert fate(new, "The rent is 1400 euros.", known=[held]) == "stated"
    assert fate(new, "I pay 1400 euros.", known=[held]) == "stated"

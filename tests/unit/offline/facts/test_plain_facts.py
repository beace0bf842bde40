from __future__ import annotations

import time
from typing import Any

import pytest

from shared.offline.answer import write_answer
from shared.offline.facts.plain_facts import find_facts, find_in_message
from shared.offline.prompt_parser import KnownFact, Utterance
from tests.unit.offline.compound_sentences_aside import COMPOUND_ASIDE, NOTHING_TOLD_ASIDE
from tests.unit.offline.telling import tell_apart

READ_ASIDE = 39  # of 40


def find(text: Any, role: Any = "user") -> Any:
    return find_facts([Utterance(seq=4, role=role, at="", text=text)], [])


def slots(text: Any) -> Any:
    return {
        fact.key: fact.value
        for fact in find_in_message(Utterance(seq=4, role="user", at="", text=text), [])
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My name is Alex.", {"name": "Alex"}),
        ("my name is alex", {"name": "alex"}),
        ("My name's Anna de Vries, by the way.", {"name": "Anna"}),
        ("You can call me Al.", {"name": "Al"}),
        ("My full name is Alexander Smith.", {"name": "Alexander Smith"}),
        ("Hi there! I'm Sam and I need help.", {"name": "Sam"}),
        (
            "I live in Rotterdam and work as a nurse.",
            {"home": "Rotterdam", "occupation": "a nurse"},
        ),
        ("I live in San Francisco, California.", {"home": "San Francisco"}),
        ("I've just moved to Berlin last year.", {"home": "Berlin"}),
        (
            "I work at Philips as an engineer.",
            {"employer": "Philips", "occupation": "an engineer"},
        ),
        ("I moved from Berlin to the Hague in 2024.", {"home": "the Hague"}),
        ("I moved to Ghent in May.", {"home": "Ghent"}),
        ("I'm living in Hamburg now.", {"home": "Hamburg"}),
        (
            "I'm allergic to cats, dogs and horses.",
            {"allergy_cats_dogs_horses": "cats, dogs and horses"},
        ),
        ("I like Python, but I love Rust.", {"python": "likes Python", "rust": "loves Rust"}),
        ("I don't work at A1 anymore, I work at B2 now.", {"employer": "B2"}),
        ("I am 31 years old.", {"age": "31"}),
        ("My name is Ada and I'm in Rome until Friday.", {"name": "Ada", "home": "Rome"}),
        (
            "I’m allergic to peanuts and shellfish!",
            {"allergy_peanuts_shellfish": "peanuts and shellfish"},
        ),
        ("I'm a vegetarian.", {"diet": "vegetarian"}),
        ("I really like hiking, but not alone.", {"hiking": "likes hiking"}),
        ("I can't stand mushrooms.", {"mushrooms": "hates mushrooms"}),
        ("I don't like tea.", {"tea": "dislikes tea"}),
        ("I prefer trains.", {"trains": "prefers trains"}),
        ("My favourite colour is dark green.", {"favourite_colour": "dark green"}),
        ("My dog is called Rex.", {"dog_name": "Rex"}),
        ("My sister's name is Eva.", {"sister_name": "Eva"}),
        ("Never use emojis.", {"emojis": "never use emojis"}),
        ("Please always answer in French.", {"answer_french": "always answer in French"}),
        ("My name is Kim. I live in Oslo.", {"name": "Kim", "home": "Oslo"}),
    ],
)
def test_plain_sentences_give_facts(text: str, expected: Any) -> None:
    assert slots(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I live in Lisbon with my husband Tom and our dog Biscuit.",
            {"home": "Lisbon", "husband_name": "Tom", "dog_name": "Biscuit"},
        ),
        (
            "I'm vegetarian and allergic to peanuts",
            {"diet": "vegetarian", "allergy_peanuts": "peanuts"},
        ),
        (
            "I'm 34, live in Oslo and work as a nurse.",
            {"age": "34", "home": "Oslo", "occupation": "a nurse"},
        ),
        (
            "Hi! I'm Ana, a software engineer from Porto living in Berlin.",
            {
                "name": "Ana",
                "home": "Berlin",
                "hometown": "Porto",
                "occupation": "a software engineer",
            },
        ),
        ("Our cats are Tick and Tock.", {"cats_name": "Tick and Tock"}),
        (
            "Biscuit is our dog and Tom is my husband.",
            {"dog_name": "Biscuit", "husband_name": "Tom"},
        ),
        ("Moved to Madrid last month!", {"home": "Madrid"}),
        ("im 34 and dont like tea", {"age": "34", "tea": "dislikes tea"}),
        ("My sister Eva lives in Rome and works as a nurse.", {"sister_name": "Eva"}),
        ("I like salt and vinegar.", {"salt_vinegar": "likes salt and vinegar"}),
    ],
)
def test_each_part_of_a_compound_statement_is_a_fact(text: str, expected: Any) -> None:
    assert slots(text) == expected


def test_most_compound_statements_that_were_kept_aside_are_read_in_full() -> None:
    read = [expected.items() <= slots(text).items() for text, expected in COMPOUND_ASIDE]

    assert sum(read) >= READ_ASIDE


@pytest.mark.parametrize("text", NOTHING_TOLD_ASIDE)
def test_compound_statements_about_others_give_none(text: Any) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    "move",
    [
        "We moved to Madrid last month.",
        "I've just relocated from Lisbon to Madrid for work.",
        "We live in Madrid now.",
        "I'm based in Madrid these days.",
        "We left Lisbon and settled in Madrid.",
        "We moved to a flat near Madrid with our two dogs.",
    ],
)
def test_a_move_updates_the_home(move: str) -> None:
    ledger = tell_apart("I live in Lisbon with my husband Tom.", move)

    assert ledger.active["identity", "home_city"] == "Madrid"


def test_a_hedge_in_one_part_does_not_cost_the_others() -> None:
    age, taste = find("I turned 35 in May, and maybe I like jazz.")

    assert (age["confidence"], taste["confidence"]) == (0.9, 0.48)


@pytest.mark.parametrize(
    "text",
    [
        "My sister lives in Rome.",
        "My wife is from Spain.",
        "He said I live in Rome.",
        "If I lived in Paris, I would be happy.",
        "Imagine I live in Paris.",
        "Let's say that I live in Paris.",
        "Do I live in Paris?",
        "My name is Batman, just kidding!",
        "I live on the moon. Haha.",
        "In my story I live in Mordor.",
        "I love it.",
        "My car is broken.",
        "My question is how tides work.",
        "I'm not allergic to nuts.",
        "I used to live in Lima.",
        "I live in fear.",
        "I moved to the next step.",
        "Call me later.",
        "You said I live in Rome.",
        "I like your idea.",
        "I work as hard as I can.",
        "I work at home.",
        "Never mind.",
        "My wifi password is hunter2.",
        "My code is failing with error 5.",
        "What is the capital of Peru?",
        "",
    ],
)
def test_what_is_not_meant_or_not_ones_own_gives_none(text: str) -> None:
    assert find(text) == []


def test_the_assistants_words_give_none() -> None:
    assert find("My name is Hal.", role="assistant") == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("I no longer live in Berlin.", "home"),
        ("I don't like tea any more.", "tea"),
        ("I'm not allergic to peanuts anymore.", "allergy_peanuts"),
    ],
)
def test_a_negation_retracts(text: str, key: str) -> None:
    (fact,) = find(text)

    assert (fact["key"], fact["value"], fact["retracts"]) == (key, "", True)


def test_a_retraction_hits_the_slot_that_the_fact_is_kept_in() -> None:
    known = [KnownFact(category="preference", key="hot_drink", value="drinks tea")]
    utterances = [Utterance(seq=4, role="user", at="", text="I don't like tea any more.")]

    (fact,) = find_facts(utterances, known)

    assert fact["key"] == "hot_drink"


def test_hedged_and_fleeting_remarks_count_for_less() -> None:
    plain, hedged, fleeting = (
        find(text)[0]["confidence"]
        for text in ("I live in Oslo.", "I think I live in Oslo.", "I live in Oslo for now.")
    )

    assert plain > hedged > 0.4 > fleeting


def test_names_are_trusted_as_they_are_given() -> None:
    """The design's example: "Alex" stands against a nickname and gives way to the full name."""
    first, nickname, full = (
        find(text)[0]["confidence"]
        for text in ("My name is Alex.", "Call me Al.", "My full name is Alexander.")
    )

    assert (first, nickname, full) == (1.0, 0.6, 0.95)


def test_a_candidate_names_its_message() -> None:
    assert find("My name is Alex.")[0]["seq"] == 4


@pytest.mark.parametrize(
    "part",
    [
        "i moved from ",
        "I like ",
        "my x ",
        "I don't ",
        "hi ",
        "just last ",
        "?!",
        "and i am, ",
        "with my dog Rex and ",
        "what is my ",
        "Ann, Bo and ",
        "can you please ",
        "“I am i ",
    ],
)
def test_hostile_lengths_cost_no_time(part: str) -> None:
    began = time.process_time()

    long = part * (100_000 // len(part))
    find(long)
    find(f"“{long[:380]}. " * 250)
    write_answer([{"role": "user", "content": text} for text in (long, f"{long}a?")])

    assert time.process_time() - began < 5

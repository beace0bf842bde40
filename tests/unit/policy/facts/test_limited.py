"""What the user says to hold until a day, and what only looks like it."""

from __future__ import annotations

from datetime import date

import pytest

from tests.unit.policy.facts.screening import Proposal, fate, screened

# The messages are of Thursday, 1 January 2026.
FRIDAY = date(2026, 1, 2)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("I'm in Rome until Friday.", "Rome"),
        ("Until Friday I'm in Rome.", "Rome"),
        ("Ich bin bis Freitag in Rom.", "Rom"),
        ("Je suis à Lyon jusqu'à vendredi.", "Lyon"),
        ("Estoy en Lima hasta el viernes.", "Lima"),
        ("Sono a Roma fino a venerdì.", "Roma"),
        ("Estou no Porto até sexta-feira.", "Porto"),
        ("Ik ben tot vrijdag in Gent.", "Gent"),
        ("Я в Риме до пятницы.", "Рим"),
        ("أنا في روما حتى الجمعة.", "روما"),
        ("Cumaya kadar Roma'dayım.", "Roma"),
        ("金曜日までローマにいます。", "ローマ"),
        ("मैं शुक्रवार तक रोम में हूँ।", "रोम"),
        ("我在罗马待到星期五。", "罗马"),
    ],
)
def test_it_is_learned_with_its_end_and_takes_no_lasting_place(words: str, value: str) -> None:
    (fact,) = screened(Proposal(value=value), words, known=[Proposal(value="Oslo")]).stated
    assert (fact.key, fact.valid_until) == ("temporary_home_city", FRIDAY)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("I was in Rome until Friday.", "Rome"),
        ("I stayed in Rome until Friday.", "Rome"),
        ("I'll be in Rome until Friday.", "Rome"),
        ("I'd be in Rome until Friday if I could.", "Rome"),
        ("Maybe I'm in Rome until Friday.", "Rome"),
        ("Am I in Rome until Friday?", "Rome"),
        ("She is in Rome until Friday.", "Rome"),
        ("My sister is in Rome until Friday.", "Rome"),
        ("I'm not in Rome until Friday.", "Rome"),
        ("I'm in Rome this week.", "Rome"),
        ("Ich war bis Freitag in Rom.", "Rom"),
        ("Ich habe bis Freitag in Rom gewohnt.", "Rom"),
        ("Ich wäre bis Freitag in Rom, wenn ich könnte.", "Rom"),
        ("J'étais à Lyon jusqu'à vendredi.", "Lyon"),
        ("Estuve en Lima hasta el viernes.", "Lima"),
        ("Mi hermana está en Lima hasta el viernes.", "Lima"),
        ("Ero a Roma fino a venerdì.", "Roma"),
        ("Estava no Porto até sexta-feira.", "Porto"),
        ("Ik was tot vrijdag in Gent.", "Gent"),
        ("Я был в Риме до пятницы.", "Рим"),
        ("كنت في روما حتى الجمعة.", "روما"),
        ("Cumaya kadar Roma'daydım.", "Roma"),
        ("金曜日までローマにいました。", "ローマ"),
        ("मैं शुक्रवार तक रोम में था।", "रोम"),
    ],
)
def test_what_was_will_be_or_is_anothers_is_not_believed(words: str, value: str) -> None:
    assert fate(Proposal(value=value), words) != "stated"


@pytest.mark.parametrize(
    ("words", "expected"), [("I'm in Rome until Friday.", "stated"), ("I'm in Rome.", "doubtful")]
)
def test_a_model_that_calls_it_passing_agrees(words: str, expected: str) -> None:
    assert fate(Proposal(whose="user", how="stated", when="while"), words) == expected


def test_a_day_of_something_else_is_not_its_end() -> None:
    (fact,) = screened(Proposal(), "I live in Rome. The shop is open until Friday.").stated
    assert (fact.key, fact.valid_until) == ("home_city", None)


def test_a_key_that_is_no_lasting_slot_stays() -> None:
    stay = Proposal(key="hotel", value="the Ritz")
    (fact,) = screened(stay, "I'm staying at the Ritz until 3 December.").stated
    assert (fact.key, fact.valid_until) == ("hotel", date(2026, 12, 3))


@pytest.mark.parametrize(
    ("words", "key", "value", "end"),
    [
        ("My name is Ada and I'm in Rome until Friday.", "name", "Ada", None),
        ("My name is Ada and I'm in Rome until Friday.", "home_city", "Rome", FRIDAY),
        ("Until Friday, I'm in Rome and my dog is called Rex.", "home_city", "Rome", FRIDAY),
        ("Until Friday, I'm in Rome and my dog is called Rex.", "dog_name", "Rex", None),
        ("I'm in Rome, until Friday.", "home_city", "Rome", FRIDAY),
        ("I work at Bosch, and until Friday I'm in Rome.", "employer", "Bosch", None),
        ("Ich heiße Ada und bin bis Freitag in Rom.", "name", "Ada", None),
        ("Ich heiße Ada und bin bis Freitag in Rom.", "home_city", "Rom", FRIDAY),
        ("Me llamo Ana y estoy en Lima hasta el viernes.", "name", "Ana", None),
        ("Je m'appelle Léa et je suis à Lyon jusqu'à vendredi.", "name", "Léa", None),
        ("我叫小明，在罗马待到星期五。", "name", "小明", None),
    ],
)
def test_the_day_ends_what_its_own_clause_says(
    words: str, key: str, value: str, end: date | None
) -> None:
    (fact,) = screened(Proposal(key=key, value=value), words).stated
    assert fact.valid_until == end
    assert fact.key == (f"temporary_{key}" if end else key)


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        ("I'm allergic to nuts and on a diet until Friday.", "allergy", "nuts"),
        ("I'm in Rome with my dog Rex until Friday.", "dog_name", "Rex"),
    ],
)
def test_no_day_ends_an_allergy_or_a_name(words: str, key: str, value: str) -> None:
    facts = screened(Proposal(key=key, value=value), words)
    assert [(fact.key, fact.valid_until) for fact in (*facts.stated, *facts.doubtful)] == [
        (key, None)
    ]

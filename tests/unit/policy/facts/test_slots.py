"""Keys: one spelling, one category, and stacking."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.facts.slots import (
    MAX_KEY_CHARS,
    normalize_key,
    normalize_slot,
    stacked_key,
)
from tests.unit.policy.facts.ledger import Ledger, candidate

UNASSIGNED, PRIVATE = "Cn", "Co"


@pytest.mark.parametrize(
    "key",
    [
        "home_city",
        "Home City",
        "home-city",
        "homeCity",
        " HOME  CITY ",
        "User's home city",
        "_home__city_",
    ],
)
def test_case_spacing_and_hyphens_make_no_difference(key: str) -> None:
    assert normalize_key(key) == "home_city"


@pytest.mark.parametrize(
    ("key", "slot"),
    [
        ("city", ("identity", "home_city")),
        ("Lives in", ("identity", "home_city")),
        ("location", ("identity", "home_city")),
        ("current_location", ("identity", "home_city")),
        ("Full-Name", ("identity", "name")),
        ("user_name", ("identity", "name")),
        ("works_at", ("identity", "employer")),
        ("company", ("identity", "employer")),
        ("job_title", ("identity", "occupation")),
        ("Answer Language", ("instruction", "response_language")),
        ("favourite_colour", ("preference", "favourite_colour")),
        ("username", ("preference", "username")),
    ],
)
def test_other_names_lead_to_the_typed_slot(key: str, slot: tuple[str, str]) -> None:
    assert normalize_slot("preference", key, "x") == slot


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("allergies", "Peanuts", "allergy_peanuts"),
        ("allergy_peanuts", "peanuts", "allergy_peanuts"),
        ("never", "use emoji", "never_use_emoji"),
        ("diet", "vegan", "diet"),
        ("dietary_restrictions", "gluten-free", "diet_gluten_free"),
        ("allergy", "", "allergy"),
    ],
)
def test_things_of_which_there_are_many_have_keys_of_their_own(
    key: str, value: str, expected: str
) -> None:
    assert normalize_slot("constraint", key, value)[1] == expected


@pytest.mark.parametrize("key", ["", "  ", "---", "!!", "_"])
def test_a_key_without_letters_is_none(key: str) -> None:
    assert normalize_slot("identity", key, "x")[1] == ""


@given(st.text(max_size=200))
def test_normalizing_is_idempotent_and_bounded(key: str) -> None:
    once = normalize_key(key)
    assert normalize_key(once) == once
    assert len(once) <= MAX_KEY_CHARS
    assert once.replace("_", "").isalnum() or not once


def test_the_keys_of_all_letters_are_of_letters() -> None:
    characters = (
        character
        for character in map(chr, range(0x110000))
        if unicodedata.category(character) not in {UNASSIGNED, PRIVATE}
    )
    for letter in characters:
        key = normalize_key(letter)
        assert normalize_key(key) == key
        assert key.replace("_", "").isalnum() or not key
    assert normalize_key("İş Yeri") == "iş_yeri"


@given(st.text(max_size=300))
def test_stacked_keys_are_keys(value: str) -> None:
    key = stacked_key("allergy", value)
    assert key.startswith("allergy_")
    assert len(key) <= MAX_KEY_CHARS


def test_long_values_that_begin_alike_do_not_share_a_key() -> None:
    begin = "cannot take any medicine of the kind that contains " * 2
    assert stacked_key("limit", begin + "iron") != stacked_key("limit", begin + "zinc")


def test_a_second_constraint_never_retires_the_first() -> None:
    ledger = Ledger()
    ledger.hear(
        candidate("no lifting over 5 kg", 1, category="constraint", key="health"),
        candidate("no salt", 2, category="constraint", key="health"),
        candidate("No salt.", 3, category="constraint", key="health"),
    )
    assert ledger.active == {
        ("constraint", "health"): "no lifting over 5 kg",
        ("constraint", "health_no_salt"): "no salt",
    }


def test_a_constraint_that_can_be_only_one_is_replaced() -> None:
    ledger = Ledger()
    ledger.hear(
        candidate("1000 €", 1, category="constraint", key="budget"),
        candidate("1500 €", 2, category="constraint", key="budget"),
    )
    assert ledger.active == {("constraint", "budget"): "1500 €"}


def test_a_retraction_finds_the_only_one_of_its_kind() -> None:
    ledger = Ledger()
    ledger.hear(candidate("peanuts", 1, category="constraint", key="allergy_peanuts"))
    gone = candidate("", 2, category="constraint", key="allergy", retracts=True)
    assert ledger.hear(gone) == "close"


def test_a_retraction_that_could_mean_several_closes_none() -> None:
    ledger = Ledger()
    ledger.hear(
        candidate("peanuts", 1, category="constraint", key="allergy_peanuts"),
        candidate("eggs", 2, category="constraint", key="allergy_eggs"),
    )
    gone = candidate("", 3, category="constraint", key="allergy", retracts=True)
    assert ledger.hear(gone) == "ignore"
    assert len(ledger.active) == 2


def test_a_fact_under_a_former_name_of_its_slot_is_replaced() -> None:
    ledger = Ledger()
    ledger.hear(candidate("single", key="relationship_status"))
    ledger.hear(candidate("married", turn=2, key="marital_status"))
    assert [fact.value for fact in ledger.versions if fact.is_active] == ["married"]

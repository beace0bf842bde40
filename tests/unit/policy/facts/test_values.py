"""Values: cleaned and compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.facts.values import clean_value, fingerprint, is_same_value
from shared.policy.text import is_storable


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("St. Gallen", "st gallen"),
        ("O’Brien", "O'Brien"),
        ("New   York", "new york"),
        ("gluten-free", "gluten free"),
        ("Straße", "STRASSE"),
        ("Ａｌｅｘ", "Alex"),
        ("likes tea!", "“likes tea”"),
    ],
)
def test_case_spacing_and_punctuation_make_no_difference(value: str, other: str) -> None:
    assert is_same_value(value, other)


@pytest.mark.parametrize(
    ("value", "other"),
    [("C++", "C#"), ("C++", "C"), ("10 $", "10 €"), ("1.5", "15"), ("Rome", "Roma"), ("?", "!")],
)
def test_signs_that_mean_something_do(value: str, other: str) -> None:
    assert not is_same_value(value, other)


@given(st.text())
def test_a_cleaned_value_is_one_storable_line(text: str) -> None:
    value = clean_value(text)
    assert is_storable(value)
    assert value.splitlines() in ([], [value])
    assert value == clean_value(value)
    assert fingerprint("ada", value)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("  Ada\n Lovelace ", "Ada Lovelace"),
        ("A\x00da", "Ada"),
        ("\u202eevil\u202c", "evil"),
        ("👩‍🔬", "👩‍🔬"),
        ("\ud800", ""),
        ("\u200b \u200b", ""),
    ],
)
def test_what_cannot_be_seen_or_kept_is_left_out(raw: str, value: str) -> None:
    assert clean_value(raw) == value

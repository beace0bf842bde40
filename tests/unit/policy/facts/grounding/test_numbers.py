from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.facts.grounding.numbers import list_numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5k", "1500"), ("1,5 k", "1500"), ("2k", "2000"), ("1'000k", "1000000"),
        ("61 000 k", "61000000"), ("3 mio", "3000000"), ("40 tsd", "40000"),
    ],
)  # fmt: skip
def test_what_stands_before_a_multiplier_is_multiplied(text: str, number: str) -> None:
    [forms] = list_numbers(text)
    assert number in forms


@pytest.mark.parametrize("text", ["12:30k", "1:234k", "1(2)3k", "4992-1773k", "9" * 400 + "k"])
def test_what_is_no_plain_number_is_not_multiplied(text: str) -> None:
    [forms] = list_numbers(text)
    assert not any(form.endswith("000") for form in forms)


@given(st.text(alphabet="0123456789.,:' ()/-", max_size=20), st.sampled_from(["k", "tsd", "mio"]))
def test_any_signs_between_digits_are_read(signs: str, multiplier: str) -> None:
    for forms in list_numbers(f"1{signs}2 {multiplier}"):
        assert all(any(sign.isdigit() for sign in form) for form in forms)

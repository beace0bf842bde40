"""What an entry of a pasted list states."""

from __future__ import annotations

import pytest

from shared.facts.memory_lists import read_entry


@pytest.mark.parametrize(
    ("entry", "slot", "value"),
    [
        ("User's name is Ada.", ("identity", "name"), "Ada"),
        ("Name: Ada Lovelace", ("identity", "name"), "Ada Lovelace"),
        ("Location: Oslo.", ("identity", "home_city"), "Oslo"),
        ("You are vegetarian", ("constraint", "diet"), "vegetarian"),
        ("Ada is allergic to peanuts", ("constraint", "allergy_peanuts"), "peanuts"),
        ("User prefers short answers", ("preference", "short_answers"), "prefers short answers"),
        ("I live in Oslo", ("identity", "home"), "Oslo"),
    ],
)
def test_a_plain_entry_gets_the_slot_of_what_it_says(
    entry: str, slot: tuple[str, str], value: str
) -> None:
    statement = read_entry(entry, ["Ada"])
    assert ((statement.category, statement.key), statement.value) == (slot, value)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("Nutzerin wohnt in Bergen", "Nutzerin wohnt in Bergen"),
        ("Du bist Vegetarierin", "Du bist Vegetarierin"),
        ("User is planning a trip to Japan", "User is planning a trip to Japan"),
        ("Theme: the sea", "Theme: the sea"),
        ("You are planning a trip", "I am planning a trip"),  # a model would take it for itself
        ("You travel with your dog", "You travel with your dog"),
    ],
)
def test_any_other_entry_is_kept_word_for_word(entry: str, value: str) -> None:
    statement = read_entry(entry, [])
    assert statement.value == value
    assert statement.key.startswith("statement_")

"""Which names projects can have, and which names mean the same project."""

from __future__ import annotations

import pytest

from shared.policy.project_names import find_name, find_same


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Work", "Work"),
        ("  Trips to the sea\u00a0", "Trips to the sea"),
        ("رحلات", "رحلات"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("...and more", "...and more"),
        ("\U0001f3f4\U000e0067\U000e007f", "\U0001f3f4\U000e0067\U000e007f"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("100% & <b>", "100% & <b>"),
        ("x" * 60, "x" * 60),
    ],
)
def test_a_name_is_kept_without_the_blanks_around_it(text: str, name: str) -> None:
    assert find_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\u200b", "x" * 61, "a\nb", "a\u0000", "a\u2028b", "\u007fa", "a/b", ".", "..",
        " . ", "a\ud800", "\u3164", "\u2800", "\u180e", "\uffa0 \u115f", "\U000e0041\U000e007f",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_or_stands_for_another_address_is_no_name(text: str) -> None:
    assert find_name(text) is None


def test_case_and_ways_to_write_an_accent_make_no_other_project() -> None:
    assert find_same("WORK", ["Home", "Work"]) == "Work"
    assert find_same("cafe\u0301", ["Café"]) == "Café"
    assert find_same("STRASSE", ["Straße"]) == "Straße"
    assert find_same("Works", ["Work"]) is None

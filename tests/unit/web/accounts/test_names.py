"""Which names there are, and when two are the same."""

from __future__ import annotations

import pytest

from shared.errors import InvalidRequestError
from web.accounts.names import compared, read_names


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Ada", "Ada"), (" Ada ", "Ada"), ("Ａda", "Ada"), ("Zoe\u0301", "Zoé"), ("ﬁn", "fin")],
)
def test_a_name_is_shown_in_its_composed_form(text: str, expected: str) -> None:
    assert read_names(text) == (expected, expected.lower())


@pytest.mark.parametrize(
    "name", ["ada@example.org", "O'Brien", "李小龍", "Анна", "Ελένη", "محمد", "x_1-2.3"]
)
def test_names_of_all_languages_are_taken(name: str) -> None:
    assert read_names(name)[0] == name


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "...", "a" * 65, "a/b", "<b>", "a\nb", "a\u200bb", "\u202eada", "\u3164", "\u115f",
        "a\ufe0f", "Аda", "pаypal", "αda", "a  b", "\x00", "a\ud800",
    ],
)  # fmt: skip
def test_empty_odd_and_deceptive_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidRequestError):
        read_names(name)


@pytest.mark.parametrize("text", ["ADA", "ａｄａ", " ada", "Ａda"])
def test_capitals_widths_and_spaces_make_no_other_name(text: str) -> None:
    assert compared(text) == "ada"


def test_sharp_s_is_compared_as_two() -> None:
    assert compared("Groß") == compared("GROSS")

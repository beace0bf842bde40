"""What a browser's cookies say of how pages look."""

from __future__ import annotations

import re

import pytest
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from web.pages.appearance import PAPER, read_appearance
from web.pages.assets import STATIC


def with_cookies(cookies: str) -> Request:
    return Request(EnvironBuilder(headers=[("Cookie", cookies)]).get_environ())


def test_a_chosen_theme_is_the_only_one_whose_colour_counts() -> None:
    look = read_appearance(with_cookies("throughline-theme=dark; throughline-size=large"))
    assert (look.theme, look.text_size) == ("dark", "large")
    assert [look.media_of(theme) for theme in PAPER] == ["not all", "all"]


def test_without_a_choice_the_system_decides() -> None:
    look = read_appearance(with_cookies(""))
    assert (look.theme, look.text_size) == (None, None)
    assert look.media_of("dark") == "(prefers-color-scheme: dark)"


@pytest.mark.parametrize("value", ["sepia", '"><script>', ""])
def test_an_unknown_value_is_none(value: str) -> None:
    look = read_appearance(with_cookies(f"throughline-theme={value}; throughline-size={value}"))
    assert (look.theme, look.text_size) == (None, None)


def test_the_colour_of_the_browsers_bars_is_that_of_the_page() -> None:
    styles = (STATIC / "css/base.css").read_text()
    match = re.search(r"--paper: light-dark\((\S+), (\S+)\);", styles)
    assert match
    assert match.groups() == (PAPER["light"], PAPER["dark"])

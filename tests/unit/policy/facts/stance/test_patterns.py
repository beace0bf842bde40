"""Patterns are compiled when they are first used, so a fault in a table would show late."""

from __future__ import annotations

import re
from typing import get_type_hints

import pytest

from shared.policy.facts.stance.patterns import Patterns, list_languages

LANGUAGES = {language.table.name: language for language in list_languages()}


@pytest.mark.parametrize("name", LANGUAGES)
def test_each_column_of_a_table_makes_a_pattern(name: str) -> None:
    language = LANGUAGES[name]
    columns = get_type_hints(Patterns)
    assert [c for c in columns if not isinstance(getattr(language, c), re.Pattern)] == []
    properties = ("anybody", "breaks", "asks_last", "label_ends")
    assert [p for p in properties if not isinstance(getattr(language, p), re.Pattern)] == []
    assert all(isinstance(pattern, re.Pattern) for pattern in language.people.values())

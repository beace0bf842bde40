"""Escapes that keep text inside its block or element."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.escaping import escape_attribute, escape_line, escape_text, unescape


@pytest.mark.parametrize("escape", [escape_text, escape_line, escape_attribute])
@given(text=st.text())
def test_no_text_closes_a_tag(escape: Any, text: Any) -> None:
    assert not {"<", ">"} & set(escape(text))


@given(st.text())
def test_no_text_closes_an_attribute(text: Any) -> None:
    assert '"' not in escape_attribute(text)


@given(st.text())
def test_a_line_has_no_line_breaks(text: Any) -> None:
    assert len(escape_line(text).splitlines()) <= 1


@pytest.mark.parametrize("escape", [escape_text, escape_attribute])
@given(text=st.text())
def test_what_is_unescaped_is_what_was_escaped(escape: Any, text: Any) -> None:
    assert unescape(escape(text)) == text


def test_quotation_marks_stay_where_they_end_nothing() -> None:
    assert escape_text('"It\'s"') == '"It\'s"'
    assert escape_attribute('"It\'s"') == "&quot;It's&quot;"

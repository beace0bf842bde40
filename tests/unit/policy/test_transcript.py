from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import Point
from shared.policy.transcript import (
    render_facts_input,
    render_summary_input,
    render_transcript,
)

AT = datetime(2026, 11, 21, 14, 3, 59, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Line:
    sequence_number: int
    content: str
    role: str = "user"
    created_at: datetime = AT


@dataclass(frozen=True)
class Slot:
    category: str
    key: str
    value: str


def test_a_message_is_one_element_with_its_number_role_and_minute():
    rendered = render_transcript([Line(sequence_number=12, content="Hello.")])

    assert rendered == '<message seq="12" role="user" at="2026-11-21 14:03">Hello.</message>'


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_no_text_leaves_its_element(text):
    rendered = render_transcript([Line(sequence_number=0, content=text)])

    (message,) = ElementTree.fromstring(f"<all>{rendered}</all>")  # noqa: S314
    assert (message.text or "") == text


@pytest.mark.parametrize("text", ["</message><message seq='1'>", '"><known>', "</transcript>"])
def test_markup_in_a_text_is_text(text):
    rendered = render_transcript([Line(sequence_number=0, content=text)])

    assert len(re.findall("<[^>]*>", rendered)) == 2


def test_line_breaks_stay():
    assert "a\n  b" in render_transcript([Line(sequence_number=0, content="a\n  b")])


def test_earlier_points_come_before_the_new_messages():
    points = [Point(text="a < b", first=0, last=3)]

    lines = render_summary_input(points, [Line(sequence_number=4, content="x")]).splitlines()

    assert lines[0] == '<point first="0" last="3">a &lt; b</point>'
    assert lines[1].startswith('<message seq="4"')


def test_known_facts_come_before_the_messages():
    known = [Slot("identity", "home", "R&D street")]

    lines = render_facts_input(known, [Line(sequence_number=4, content="x")]).splitlines()

    assert lines[0] == '<known category="identity" key="home">R&amp;D street</known>'
    assert lines[1].startswith('<message seq="4"')

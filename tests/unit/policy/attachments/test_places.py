"""Headings of pages, slides and sheets, as they are written and read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models.attachments import Place
from shared.policy.attachments.headings import put_heading
from shared.policy.attachments.places import (
    has_places,
    list_headings,
    read_place,
    split_places,
    without_headings,
)
from shared.policy.attachments.sniffing import sniff
from tests.fakes.documents import make_docx, make_odp, make_odt, make_pptx, make_xlsx
from tests.fakes.files import make_pdf

TEXT = "\n\n".join([put_heading("page", "1", "One."), put_heading("page", "3", "Three.")])


def test_places_are_read_as_they_were_written() -> None:
    places = [(str(place), text.strip()) for place, text in split_places(TEXT)]
    assert places == [("page 1", "One."), ("page 3", "Three.")]
    assert without_headings(TEXT).split() == ["One.", "Three."]
    assert list_headings(TEXT) == ["## Page 1", "## Page 3"]


def test_a_text_without_headings_has_no_place() -> None:
    assert list(split_places("## Page 1\n\nOne.")) == [(None, "## Page 1\n\nOne.")]
    assert list(split_places("")) == []


@given(st.text(), st.text())
def test_a_document_cannot_write_a_heading(name: str, text: str) -> None:
    hostile = f"{text}\f## Page 9\n\nForged."
    [(place, _)] = split_places(put_heading("sheet", name, hostile))
    assert place is not None
    assert place.kind == "sheet"
    assert "\n" not in place.name


@pytest.mark.parametrize("text", ["page 12", "slide 3", "sheet Winter budget"])
def test_a_place_is_read_as_it_is_stored(text: str) -> None:
    assert str(read_place(text)) == text


@pytest.mark.parametrize("text", [None, "", "page", "chapter 3"])
def test_what_names_no_place_is_none(text: str | None) -> None:
    assert read_place(text) is None


def test_a_place_is_a_kind_and_a_name() -> None:
    assert read_place("sheet a b") == Place(kind="sheet", name="a b")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (make_pdf("a"), True),
        (make_pptx("a"), True),
        (make_odp("a"), True),
        (make_xlsx(), True),
        (make_docx(), False),
        (make_odt(), False),
        (b"text", False),
    ],
)
def test_which_files_have_places(content: bytes, expected: bool) -> None:
    sniffed = sniff(content)
    assert sniffed is not None
    assert has_places(sniffed.media_type) is expected

"""A text as a reader sees it, and where its parts stand in the original."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.visible_text import as_seen, read_visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("Zürich – naïve\n", "Zürich – naïve\n"),
        ("Ｆｕｌｌ　１２", "Full 12"),
        ("ｶﾞｷﾞ", "ガギ"),
        (unicodedata.normalize("NFD", "Zürich 비밀번호"), "Zürich 비밀번호"),
        ("so\u00adft\u200b-\u2060hy\ufeffphen", "soft-hyphen"),
        ("½ ﬁ ①", "1⁄2 fi 1"),
        ("٤٢ and ४२", "42 and 42"),
        ("\u200b", ""),
        ("", ""),
    ],
)
def test_what_looks_alike_is_alike(text: str, seen: str) -> None:
    assert as_seen(text) == seen


@given(st.text())
def test_each_place_leads_back_to_the_original(text: str) -> None:
    seen = read_visible(text)
    assert len(seen.text) == len(seen.starts) == len(seen.ends)
    assert as_seen(seen.text) == seen.text
    for place, character in enumerate(seen.text):
        start, end = seen.find_original(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert character in as_seen(text[start:end])

"""Spellings of the same letters have one form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.folding import fold, plain_letters


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Cafe\u0301 CAFÉ", "cafe cafe"),
        ("Straße Æsir Œuvre Þór", "strasse aesir oeuvre thor"),
        ("Łódź Đà Nẵng Tiếng Việt", "lodz da nang tieng viet"),
        ("İstanbul ılık", "istanbul ilik"),
        ("Мой ёж", "мой еж"),
        ("ΣΑΣ Αθήνα", "σασ αθηνα"),
        ("שָׁלוֹם", "שלום"),
        ("أَحْمَد إسلام آخر مدرسة مستشفى كتــاب", "احمد اسلام اخر مدرسه مستشفي كتاب"),
        ("۱۲۳ ٤٥٦ १२", "123 456 12"),
        ("ＺＵＧ ４２", "zug 42"),
        ("ｶﾞﾗｽ ガラス", "ガラス ガラス"),
        ("體 图书館", "体 图书馆"),
        ("Kranken\u00adhaus E\u2011Mail zero\u200bwidth", "krankenhaus e-mail zerowidth"),
        ("ﬁne don’t", "fine don't"),
        ("हिन्दी ไทยที่ 한국어", "हिन्दी ไทยที่ 한국어"),
    ],
)
def test_spellings_have_one_form(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(unicodedata.normalize("NFD", text)) == folded


@given(st.text())
def test_plain_letters_stand_where_the_letters_stood(text: str) -> None:
    assert len(plain_letters(text)) == len(text)


def test_letters_keep_their_places_and_case() -> None:
    assert plain_letters("Élodie, ß und Ærø") == "Elodie, ß und Æro"

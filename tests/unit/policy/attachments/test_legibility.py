"""Which texts of PDFs are believed."""

from __future__ import annotations

import pytest

from shared.policy.attachments.legibility import SAMPLE_CHARS, is_garbled


@pytest.mark.parametrize(
    "text",
    [
        "", "Hi", "1234567890 — §§ € ™", "Die Straße führt über den Fluß.",
        "日本語の文書です。カタカナ、ひらがな、漢字とABC。", "이것은 문서입니다 PDF",
        "Привет, мир! Hello.",
        "النص العربي هنا", "∀x∈ℝ: αx+βy ≤ γ" * 5, "नमस्ते दुनिया", "สวัสดีชาวโลก",
    ],
)  # fmt: skip
def test_a_text_of_any_language_is_one(text: str) -> None:
    assert not is_garbled(text)
    assert not is_garbled(text * SAMPLE_CHARS)


@pytest.mark.parametrize(
    "text",
    ["\x03+HOOR\x03:RUOG\x11", "\ue000\ue001\ue002\ue003\ue004", "샌냍삺₹꺼귀풴\ufffd",
     "䙼䭜㡬\u244e䨸㵱⑇\u2439", "ȃЅ؇ࠉ\u0c0dฏထሓᐕᘗ᠙ᨛᰝḟ"],
)  # fmt: skip
def test_what_a_font_does_not_name_is_none(text: str) -> None:
    assert is_garbled(text)
    assert is_garbled(text * 5000)

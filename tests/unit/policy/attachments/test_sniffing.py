"""What a file is, by its content, and under which name it is kept."""

from __future__ import annotations

import pytest

from shared.policy.attachments.sniffing import MAX_NAME_CHARS, clean_name, sniff
from tests.fakes.files import make_image, make_pdf


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (make_pdf("a"), "application/pdf"),
        (make_image("PNG"), "image/png"),
        (make_image("JPEG"), "image/jpeg"),
        (make_image("GIF"), "image/gif"),
        (make_image("WEBP"), "image/webp"),
        (b"a,b\n1,2\n", "text/plain"),
        (b"<svg onload='x'/>", "text/plain"),
        ("Grüße".encode("latin-1"), "text/plain"),
        ("Grüße".encode("utf-16"), "text/plain"),
    ],
)
def test_what_is_taken_is_told_by_its_content(content: bytes, media_type: str) -> None:
    kind = sniff(content)
    assert kind is not None
    assert kind.media_type == media_type


@pytest.mark.parametrize(
    "content", [b"MZ\x90", b"\x7fELF\x02", b"PK\x03\x04", b"\x1f\x8b\x08", b"text\x00text"]
)
def test_programs_archives_and_binary_files_are_not_taken(content: bytes) -> None:
    assert sniff(content) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\Ada\\notes.txt", "notes.txt"),
        ("a\nb\t c.txt", "a b c.txt"),
        ("invoice\u202egnp.exe", "invoicegnp.exe"),
        ("\u200b..", "file"),
        ("", "file"),
        ("Überblick 2026.pdf", "Überblick 2026.pdf"),
    ],
)
def test_a_name_is_one_line_that_shows_what_it_is(name: str, expected: str) -> None:
    assert clean_name(name) == expected


def test_a_long_name_keeps_its_ending() -> None:
    short = clean_name("x" * 500 + ".tar.gz")
    assert len(short) == MAX_NAME_CHARS
    assert short.endswith("….gz")

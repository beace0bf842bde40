"""Documents that are made to be read for long: they are cut or refused, after a second at most."""

from __future__ import annotations

import io
import resource
import zipfile
from collections.abc import Callable

import pytest

from shared.attachments.parsing import CUT
from shared.errors import UnreadableFileError
from tests.fakes.documents import make_docx
from tests.integration.attachments.reading import read_file

#: Of a processor, which others may use as well. Without limits each case takes five and more.
MOST_CPU_S = 3.0
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
PARAGRAPH = "<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"
MAIL = b"From: a@b.example\nMIME-Version: 1.0\nSubject: x\n"
PARTS = MAIL + b'Content-Type: multipart/mixed; boundary="b"\n\n'
HTML = b"<!doctype html>"


def pack(*files: tuple[str, str]) -> bytes:
    """With compression, as bombs have it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(body: str, *others: tuple[str, str]) -> bytes:
    return pack(("word/document.xml", f"<w:document {WORD}>{body}</w:document>"), *others)


def odt(body: str) -> bytes:
    kind = ("mimetype", "application/vnd.oasis.opendocument.text")
    buffer = io.BytesIO(pack(("content.xml", f'<a xmlns:text="{TEXT}">{body}</a>')))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(*kind)
    return buffer.getvalue()


def epub(page: str, times: int) -> bytes:
    spine = '<itemref idref="a"/>' * times
    buffer = io.BytesIO(
        pack(
            ("META-INF/container.xml", '<c><rootfile full-path="p.opf"/></c>'),
            ("p.opf", f'<p><item id="a" href="a.html"/>{spine}</p>'),
            ("a.html", page),
        )
    )
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("mimetype", "application/epub+zip")
    return buffer.getvalue()


def nested_mail(depth: int) -> bytes:
    part = 'Content-Type: multipart/mixed; boundary="b{0}"\n\n--b{0}\n'.format
    return MAIL + "".join(map(part, range(depth))).encode() + b"\nHello.\n"


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


IN_TABLE = ("<w:tbl><w:tr><w:tc>", PARAGRAPH, "</w:tc></w:tr></w:tbl>")
IN_LIST = ("<text:list><text:list-item>", "<text:p>x</text:p>", "</text:list-item></text:list>")
CASES: dict[str, Callable[[], bytes]] = {
    "mail in mail": lambda: MAIL + b"Content-Type: message/rfc822\n\n" * 5_000 + b"Hello.\n",
    "parts in parts": lambda: nested_mail(60_000),
    "many parts": lambda: PARTS + b"--b\n\nx\n" * 200_000,
    "many lines": lambda: MAIL + b"\n" * 8_000_000,
    "many people": lambda: MAIL + b"To: " + b"a@b.example, " * 200_000 + b"\n\nHello.",
    "comments in comments": lambda: MAIL + b"To: " + b"(" * 500_000 + b"\n\nHello.",
    "a page in a mail": lambda: MAIL + b"Content-Type: text/html\n\n" + b"<div>" * 800_000,
    "divisions": lambda: HTML + b"<div>" * 800_000,
    "divisions with words": lambda: HTML + b"<div>word " * 800_000,
    "tables in tables": lambda: HTML + b"<table><tr><td>" * 500_000,
    "open tags": lambda: HTML + b"<" * 9_000_000,
    "attributes": lambda: HTML + b"<a " + b"b=c " * 2_000_000 + b">Hello.",
    "entities": lambda: HTML + b"&amp;" * 1_800_000,
    "a long document": lambda: docx(PARAGRAPH * 2_000_000),
    "a long text": lambda: docx(PARAGRAPH.replace("Hello", "Hello " * 12_000_000)),
    "empty paragraphs": lambda: docx("<w:p/>" * 10_000_000),
    "tables of Word in tables": lambda: docx(nested(*IN_TABLE, depth=30)),
    "more tables in tables": lambda: docx(nested(*IN_TABLE, depth=5_000)),
    "elements in elements": lambda: docx(nested("<w:sdt>", "x", "</w:sdt>", 1_000_000)),
    "many members": lambda: docx(PARAGRAPH, *((f"a{n}", "") for n in range(50_000))),
    "a document in itself": lambda: pack(("word/document.xml", make_docx().decode("latin-1"))),
    "lists in lists": lambda: odt(nested(*IN_LIST, depth=20_000)),
    "words in words": lambda: odt(nested("<text:span>a", "", "</text:span>", 20_000)),
    "a page many times": lambda: epub("<p>Hello</p>", 100_000),
    "an empty page many times": lambda: epub("", 100_000),
    "a long page": lambda: epub("<p>w</p>" * 10_000_000, 1),
    "groups in groups": lambda: rb"{\rtf1 " + b"{" * 5_000_000,
    "long rich text": lambda: rb"{\rtf1 " + b"Hello " * 1_500_000,
}


def read_or_refuse(content: bytes) -> str:
    try:
        return read_file("a", content).text or ""
    except UnreadableFileError as exc:
        return exc.message


@pytest.mark.parametrize("case", CASES)
def test_what_would_be_read_for_long_is_cut_or_refused(case: str) -> None:
    content = CASES[case]()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = read_or_refuse(content)
    assert text.endswith(CUT) or "asks for too much" in text or len(text) < 20_000
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < MOST_CPU_S

"""Documents of each form, as the reader's process reads them."""

from __future__ import annotations

import pytest

from shared.errors import FileTypeError, UnreadableFileError
from tests.fakes.documents import (
    make_docx,
    make_encoded_pdf,
    make_epub,
    make_mail,
    make_odp,
    make_odt,
    make_pptx,
    make_xlsx,
    pack,
)
from tests.fakes.files import make_pdf
from tests.fakes.outlook import (
    ADDRESS,
    BODY,
    FILE_NAME,
    HTML_BODY,
    NAME,
    SENDER_ADDRESS,
    SENDER_NAME,
    SENT_AT,
    SUBJECT,
    Properties,
    make_outlook_mail,
)
from tests.integration.attachments.reading import read_file

RTF = rb"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe {\b aus} K\'f6ln.\par Two}"
ENTITY = '<!DOCTYPE a [<!ENTITY d SYSTEM "/etc/hosts">]>'
HTML = (
    b"<!DOCTYPE html><html><head><title>T</title><script>x()</script></head><body><h1>Trip</h1>"
    b"<p>To\n  <b>Porto</b> &amp; back</p><table><tr><th>Day</th></tr><tr><td><p>Monday</p></td>"
    b"</tr></table></body></html>"
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            make_docx(),
            "A trip\n\n| City | Year |\n| --- | --- |\n| Porto | 2024 |\n\nOne\ttwo & three",
        ),
        (make_pptx("Hello", "World"), "\f## Slide 1\n\nHello\n\n\f## Slide 2\n\nWorld"),
        (
            make_xlsx(),
            "\f## Sheet Costs\n\n| Item | Price |  |\n| --- | --- | --- |\n| Tea/pot | 12.5 | 3 |",
        ),
        (make_odt(), "Notes\n\nA bold word\nbelow\n\n| x | y |\n| --- | --- |"),
        (make_epub(), "First.\n\nSecond."),
        (RTF, "Grüße aus Köln.\nTwo"),
        (HTML, "Trip\n\nTo Porto & back\n\n| Day |\n| Monday |"),
        (
            make_mail(),
            "From: Ada <ada@example.org>\nSubject: Straße\n\nGrüße aus Köln.\n\n[File: map.png]",
        ),
    ],
    ids=["docx", "pptx", "xlsx", "odt", "epub", "rtf", "html", "mail"],
)
def test_a_document_is_read_with_its_tables(content: bytes, text: str) -> None:
    new = read_file("a", content)
    assert (new.kind, new.text) == ("text", text)
    assert new.content == content
    assert new.media_type != "text/plain"


def test_a_mail_of_outlook_is_read_as_any_other() -> None:
    head: Properties = {SUBJECT: "Straße", SENDER_NAME: "Ada", SENDER_ADDRESS: "ada@example.org"}
    sent: Properties = {**head, SENT_AT: 1_700_000_000, BODY: "Grüße aus Köln.\r\nBis bald."}
    recipients = [{NAME: "Ben", ADDRESS: "ben@example.org"}]
    new = read_file("a", make_outlook_mail(sent, recipients, [{FILE_NAME: "map.png"}]))
    assert (new.kind, new.media_type) == ("text", "application/vnd.ms-outlook")
    assert new.text == (
        'From: "Ada" <ada@example.org>\nTo: Ben <ben@example.org>\n'
        "Date: 2023-11-14 22:13:20+00:00\nSubject: Straße\n\n"
        "Grüße aus Köln.\nBis bald.\n\n[File: map.png]"
    )
    page = make_outlook_mail({**head, HTML_BODY: b"<p>To <b>Porto</b></p><script>x()</script>"})
    assert (read_file("a", page).text or "").endswith("Subject: Straße\n\nTo Porto")
    with pytest.raises(UnreadableFileError):
        read_file("a", make_outlook_mail(sent)[:1500])


def test_slides_are_numbered_as_they_are_shown_and_those_without_text_count() -> None:
    assert read_file("a", make_pptx("One", "", "Three")).text == (
        "\f## Slide 1\n\nOne\n\n\f## Slide 3\n\nThree"
    )
    moved = make_pptx("Shown last", "Shown first", order=(2, 1))
    assert read_file("a", moved).text == (
        "\f## Slide 1\n\nShown first\n\n\f## Slide 2\n\nShown last"
    )
    assert read_file("a", make_odp("Hello", "World")).text == (
        "\f## Slide 1\n\nHello\n\n\f## Slide 2\n\nWorld"
    )


@pytest.mark.parametrize(
    "content",
    [
        make_docx()[:200],
        pack(("word/document.xml", "<a" + "<b>" * 100_000)),
        pack(("word/document.xml", "<a>" * 100_000 + "</a>" * 100_000)),
        pack(("xl/workbook.xml", "")),
        pack(("mimetype", "application/epub+zip")),
        pack(("word/document.xml", f"{ENTITY}<a><p><t>&d;</t></p></a>")),
    ],
    ids=["cut", "open", "deep", "empty", "no book", "entity"],
)  # fmt: skip
def test_a_broken_or_hostile_document_is_refused(content: bytes) -> None:
    with pytest.raises((UnreadableFileError, FileTypeError)):
        read_file("a", content)


def test_other_archives_and_old_documents_are_no_type_that_is_taken() -> None:
    for content in (pack(("a.txt", "x")), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600):
        with pytest.raises(FileTypeError):
            read_file("a", content)


@pytest.mark.parametrize(
    ("encoding", "ordering", "codec", "text"),
    [
        ("KSCms-UHC-H", "Korea1", "cp949", "이것은 문서입니다"),
        ("EUC-H", "Japan1", "euc_jp", "日本語の文書です"),
        ("90ms-RKSJ-H", "Japan1", "cp932", "日本語の文書です"),
        ("GBK-EUC-H", "GB1", "gbk", "这是一份中文文件"),
        ("ETen-B5-H", "CNS1", "big5", "這是一份中文文件"),
    ],
)
def test_pdfs_in_encodings_of_east_asia_are_read(
    encoding: str, ordering: str, codec: str, text: str
) -> None:
    content = make_encoded_pdf(encoding, ordering, text.encode(codec))
    assert read_file("a.pdf", content).text == text


def test_a_pdf_that_does_not_say_what_it_shows_is_refused_and_not_believed() -> None:
    glyphs = b"".join(code.to_bytes(2, "big") for code in (3, 43, 72, 79, 79, 82, 3, 58, 17, 8, 5))
    for codes in (glyphs, bytes(range(80))):
        with pytest.raises(UnreadableFileError, match="do not say what they show"):
            read_file("a.pdf", make_encoded_pdf("Identity-H", "Identity", codes))


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\r\n\r\n", b"\xef\xbb\xbf \n"])
def test_a_pdf_after_a_mark_or_blank_lines_is_one(before: bytes) -> None:
    new = read_file("a.pdf", before + make_pdf("Hello."))
    assert (new.kind, new.text) == ("pdf", "Hello.")


def test_a_pdf_without_its_table_of_objects_is_read() -> None:
    whole = make_pdf("Hello.")
    cut = whole[: whole.index(b"xref\n")] + b"trailer\n<< /Root 1 0 R >>\n"
    assert read_file("a.pdf", cut).text == "Hello."


def test_a_scan_says_that_it_has_no_text() -> None:
    with pytest.raises(UnreadableFileError, match="no text in this PDF"):
        read_file("a.pdf", make_pdf(" "))

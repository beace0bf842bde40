"""What a file is, by its first bytes. Neither its name nor what a client calls it counts."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from shared.models.attachments import FileKind

MAX_NAME_CHARS = 120
FALLBACK_NAME = "file"
TEXT_TYPE = "text/plain"
WEBP = (b"RIFF", b"WEBP")
OFFICE = "application/vnd.openxmlformats-officedocument"
OPEN = "application/vnd.oasis.opendocument"
PDF = b"%PDF-"
#: Pictures of phones, by the brand after `ftyp`. Others there are films.
HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1")
#: Office before 2007, and the parts that tell a workbook and a mail of Outlook from all else.
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WORKBOOK = "Workbook".encode("utf-16-le")
OUTLOOK = "__properties_version1.0".encode("utf-16-le")
#: How a file is read: see `shared/attachments/parsing.py`.
Form = Literal["text", "pdf", "image", "office", "sheets", "epub", "rtf", "html", "mail", "outlook"]
#: (first bytes, form, type)
SIGNATURES: tuple[tuple[bytes, Form, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image", "image/png"),
    (b"\xff\xd8\xff", "image", "image/jpeg"),
    (b"GIF87a", "image", "image/gif"),
    (b"GIF89a", "image", "image/gif"),
    (b"{\\rtf", "rtf", "application/rtf"),
)
#: The zero bytes in texts of these encodings are no sign of a program.
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
#: What begins a file that holds programs or other files, and no text. (The rest has zero bytes.)
CONTAINERS = (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\x7fELF", b"MZ")


#: What is in an archive of this form and no other, with its type.
ARCHIVES: tuple[tuple[bytes, Form, str], ...] = (
    (b"word/document.xml", "office", f"{OFFICE}.wordprocessingml.document"),
    (b"ppt/presentation.xml", "office", f"{OFFICE}.presentationml.presentation"),
    (b"xl/workbook.", "sheets", f"{OFFICE}.spreadsheetml.sheet"),
    (b"application/vnd.oasis.opendocument.text", "office", f"{OPEN}.text"),
    (b"application/vnd.oasis.opendocument.presentation", "office", f"{OPEN}.presentation"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "sheets", f"{OPEN}.spreadsheet"),
    (b"application/epub+zip", "epub", "application/epub+zip"),
)
ZIP = b"PK\x03\x04"
HTML = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)
MAIL = re.compile(
    rb"[A-Za-z][\w-]*: [^\n]*\n(?=.*?^(?:mime-version|message-id):)", re.I | re.M | re.S
)
HEAD_BYTES = 16_384
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Sniffed(NamedTuple):
    form: Form
    media_type: str

    @property
    def kind(self) -> FileKind:
        """The kind of the file. All forms that are read as text, but for PDFs, are one kind."""
        return self.form if self.form in ("pdf", "image") else "text"


def sniff(content: bytes) -> Sniffed | None:
    """Tell a file's form by its first bytes. None: this form is not accepted.

    The result may be wrong for text, which is still to be decoded.
    """
    head = content[:HEAD_BYTES].removeprefix(BYTE_ORDER_MARK).lstrip()
    if head.startswith(PDF):
        return Sniffed("pdf", "application/pdf")
    for signature, form, media_type in SIGNATURES:
        if content.startswith(signature):
            return Sniffed(form, media_type)
    if (content[:4], content[8:12]) == WEBP:
        return Sniffed("image", "image/webp")
    if content[4:8] == b"ftyp":
        return Sniffed("image", "image/heic") if content[8:12] in HEIF_BRANDS else None
    if content.startswith(ZIP):
        return next((Sniffed(form, of) for mark, form, of in ARCHIVES if mark in content), None)
    if content.startswith(COMPOUND):
        return _sniff_compound(content)
    return _sniff_text(content, head)


def _sniff_text(content: bytes, head: bytes) -> Sniffed | None:
    if content.startswith(CONTAINERS):
        return None
    if b"\x00" in content and not content.startswith(WIDE_MARKS):
        return None
    if HTML.match(head):
        return Sniffed("html", "text/html")
    return Sniffed("mail", "message/rfc822") if MAIL.match(head) else Sniffed("text", TEXT_TYPE)


def _sniff_compound(content: bytes) -> Sniffed | None:
    if OUTLOOK in content:  # it may have a workbook attached
        return Sniffed("outlook", "application/vnd.ms-outlook")
    return Sniffed("sheets", "application/vnd.ms-excel") if WORKBOOK in content else None


def clean_name(name: str) -> str:
    """The last part of a path, in one line, without characters that are invisible or turn text."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    visible = (
        " " if character.isspace() else character for character in last if not _is_hidden(character)
    )
    cleaned = " ".join("".join(visible).split())
    return _shorten(cleaned.strip(". ") or FALLBACK_NAME)


def _is_hidden(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"}


def _shorten(name: str) -> str:
    """The ending stays, for it tells what the file is."""
    if len(name) <= MAX_NAME_CHARS:
        return name
    stem, dot, ending = name.rpartition(".")
    tail = f"{dot}{ending}" if stem and len(ending) < MAX_NAME_CHARS // 4 else ""
    return name[: MAX_NAME_CHARS - len(tail) - 1] + "…" + tail

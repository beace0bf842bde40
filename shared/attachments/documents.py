"""The text of documents, with their tables as rows between bars. Runs in the reader's process."""

from __future__ import annotations

import email
import email.policy
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from xml.etree import ElementTree  # the process has limits, and expat its own against entities

from shared.policy.attachments.headings import put_heading
from shared.policy.html_text import read_html

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PARAGRAPHS = ("p", "h")
TABLES = ("tbl", "table")
ROWS = ("tr", "table-row")
CELLS = ("tc", "table-cell")
BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " "}
#: What stands twice, or is no part of the text.
UNSHOWN = ("Fallback", "annotation", "tracked-changes", "notes")
CHARSET = re.compile(rb"charset=[\"']?([\w-]+)", re.IGNORECASE)
HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_office(content: bytes) -> str:
    """A document or slides of Office or OpenDocument."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    names = archive.namelist()
    if "word/document.xml" in names:
        return _join(_blocks(_parse(archive, "word/document.xml")))
    if "content.xml" in names:
        root = _parse(archive, "content.xml")
        slides = [
            element
            for element in root.iter()
            if _name(element) == "page" and "drawing" in str(element.tag)
        ]
        return _join_slides(slides) if slides else _join(_blocks(root))
    return _join_slides(_parse(archive, name) for name in _list_slides(archive))


def _list_slides(archive: zipfile.ZipFile) -> list[str]:
    """The names of the slides in the order in which they are shown, else by their numbers."""
    slides = [
        item for item in archive.namelist() if re.fullmatch(r"ppt/slides/slide\d+\.xml", item)
    ]
    slides.sort(key=lambda name: int("".join(filter(str.isdigit, name))))
    if "ppt/_rels/presentation.xml.rels" not in archive.namelist():
        return slides
    links = _parse(archive, "ppt/_rels/presentation.xml.rels")
    targets = {link.get("Id"): f"ppt/{link.get('Target', '')}" for link in links}
    presentation = _parse(archive, "ppt/presentation.xml")
    listed = [item for item in presentation.iter() if _name(item) == "sldId"]
    ids = [value for item in listed for name, value in item.items() if name.endswith("}id")]
    shown = [targets.get(link_id, "").replace("ppt//ppt/", "ppt/") for link_id in ids]
    return shown if sorted(shown) == sorted(slides) else slides


def _join_slides(slides: Iterable[Element]) -> str:
    texts = enumerate((_join(_blocks(slide)) for slide in slides), start=1)
    return "\n\n".join(put_heading("slide", str(number), text) for number, text in texts if text)


def read_epub(content: bytes) -> str:
    """A book in the order of its spine."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    container = _parse(archive, "META-INF/container.xml")
    root = next(
        element.get("full-path", "") for element in container.iter() if _name(element) == "rootfile"
    )
    package = _parse(archive, root)
    files = {
        element.get("id"): element.get("href", "")
        for element in package.iter()
        if _name(element) == "item"
    }
    spine = [element.get("idref") for element in package.iter() if _name(element) == "itemref"]
    folder = PurePosixPath(root).parent
    return _join(
        read_page(archive.read(str(folder / files[item_id])))
        for item_id in spine
        if item_id in files
    )


def read_sheets(content: bytes) -> str:
    """A workbook of Excel or OpenDocument."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return "\n\n".join(
        put_heading("sheet", name, table)
        for name in book.sheet_names
        if (table := _table(book.get_sheet_by_name(name).to_python()))
    )


def read_rtf(content: bytes) -> str:
    from striprtf.striprtf import rtf_to_text

    return str(rtf_to_text(content.decode("latin-1"), errors="ignore"))


def read_page(content: bytes) -> str:
    charset = CHARSET.search(content[:1024])
    try:
        return read_html(content.decode(charset[1].decode() if charset else "utf-8-sig"))
    except (UnicodeDecodeError, LookupError):
        return read_html(content.decode("cp1252", "replace"))


def read_mail(content: bytes) -> str:
    """Who wrote it to whom, when and about what, then the text. Its files are named."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    head = "\n".join(f"{name}: {message[name]}" for name in HEADERS if message[name])
    body = message.get_body(("plain", "html"))
    text = body.get_content() if body else ""
    if body and body.get_content_subtype() == "html":
        text = read_html(text)
    files = [f"[File: {part.get_filename() or 'file'}]" for part in message.iter_attachments()]
    return _join([head, text, "\n".join(files)])


def read_outlook(content: bytes) -> str:
    """A mail as Outlook saves it, in the same form."""
    from oxmsg import Message

    message = Message.load(content)
    recipients = (f"{person.name} <{person.email_address}>" for person in message.recipients)
    head = {
        "From": message.sender,
        "To": ", ".join(recipients),
        "Date": str(message.sent_date or ""),
        "Subject": message.subject,
    }
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    text = message.body or read_html(message.html_body or "")
    files = [f"[File: {part.file_name or 'file'}]" for part in message.attachments]
    return _join(["\n".join(lines), text.replace("\r\n", "\n"), "\n".join(files)])


def _parse(archive: zipfile.ZipFile, name: str) -> Element:
    return ElementTree.fromstring(archive.read(name))  # noqa: S314 - see the import


def _blocks(element: Element) -> Iterator[str]:
    for child in element:
        name = _name(child)
        if name in PARAGRAPHS:
            yield _text(child)
        elif name in TABLES:
            yield _table(
                [
                    ["\n".join(_blocks(cell)) for cell in row.iter() if _name(cell) in CELLS]
                    for row in child.iter()
                    if _name(row) in ROWS
                ]
            )
        elif name not in UNSHOWN:
            yield from _blocks(child)


def _text(paragraph: Element) -> str:
    """Office has all text in `t`, OpenDocument has it anywhere."""
    name = _name(paragraph)
    if name in UNSHOWN:
        return ""
    words = paragraph.text or "" if name == "t" or "opendocument" in str(paragraph.tag) else ""
    inner = "".join(
        _text(child) + (child.tail or "" if "opendocument" in str(paragraph.tag) else "")
        for child in paragraph
    )
    return BREAKS.get(name, "") + words + inner


def _table(rows: Iterable[Iterable[object]]) -> str:
    cells = [[" ".join(_cell(cell).split()) for cell in row] for row in rows]
    filled = [row for row in cells if any(row)]
    if not filled:
        return ""
    head, *rest = (f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in filled)
    return "\n".join([head, f"|{' --- |' * len(filled[0])}", *rest])


def _cell(value: object) -> str:
    """Spreadsheets have no whole numbers."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _join(blocks: Iterable[str]) -> str:
    return "\n\n".join(text for block in blocks if (text := block.strip()))


#: By the forms of `shared/policy/attachments/sniffing.py`.
READERS = {
    "office": read_office, "epub": read_epub, "sheets": read_sheets, "rtf": read_rtf,
    "html": read_page, "mail": read_mail, "outlook": read_outlook,
}  # fmt: skip

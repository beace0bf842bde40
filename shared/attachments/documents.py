"""The text of documents, with their tables as rows between bars. Runs in the reader's process."""

from __future__ import annotations

import email
import email.policy
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from shared.attachments.packed_xml import open_archive, parse_member, read_member
from shared.policy.attachments.allowance import MAX_TEXT_CHARS, Allowance
from shared.policy.attachments.headings import put_heading
from shared.policy.html_text import read_html

if TYPE_CHECKING:
    from email.message import EmailMessage
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
MAX_HEADER_CHARS = 10_000
#: Of one mail: lines, parts, and parts within parts. The parser takes long for more.
MAIL_LIMITS = (
    (re.compile(rb"\n"), 150_000), (re.compile(rb"^--", re.MULTILINE), 1_000),
    (re.compile(rb"(?:multipart|message)/", re.IGNORECASE), 20),
)  # fmt: skip
MAX_PEOPLE = 1_000
#: What a page of a book and a sheet cost, however short they are.
PAGE_PARTS, SHEET_PARTS = 50, 1_000
MAX_WORKBOOK_BYTES = 64 * 1024**2
ZIP = b"PK\x03\x04"
PICTURE = re.compile(rb"[0-9a-fA-F\s]{512,}+")
MAX_RTF_BYTES = 1_500_000


def read_office(content: bytes, allowance: Allowance) -> str:
    """A document or slides of Office or OpenDocument."""
    archive = open_archive(content)
    names = archive.namelist()
    if "word/document.xml" in names:
        return _join(_blocks(parse_member(archive, "word/document.xml", allowance)))
    if "content.xml" in names:
        root = parse_member(archive, "content.xml", allowance)
        slides = [
            element
            for element in root.iter()
            if _name(element) == "page" and "drawing" in str(element.tag)
        ]
        return _join_slides(slides) if slides else _join(_blocks(root))
    slide_names = _list_slides(archive, allowance)
    return _join_slides(parse_member(archive, name, allowance) for name in slide_names)


def _list_slides(archive: zipfile.ZipFile, allowance: Allowance) -> list[str]:
    """The names of the slides in the order in which they are shown, else by their numbers."""
    slides = [
        item for item in archive.namelist() if re.fullmatch(r"ppt/slides/slide\d+\.xml", item)
    ]
    slides.sort(key=lambda name: int("".join(filter(str.isdigit, name))))
    if "ppt/_rels/presentation.xml.rels" not in archive.namelist():
        return slides
    links = parse_member(archive, "ppt/_rels/presentation.xml.rels", allowance)
    targets = {link.get("Id"): f"ppt/{link.get('Target', '')}" for link in links}
    presentation = parse_member(archive, "ppt/presentation.xml", allowance)
    listed = [item for item in presentation.iter() if _name(item) == "sldId"]
    ids = [value for item in listed for name, value in item.items() if name.endswith("}id")]
    shown = [targets.get(link_id, "").replace("ppt//ppt/", "ppt/") for link_id in ids]
    return shown if sorted(shown) == sorted(slides) else slides


def _join_slides(slides: Iterable[Element]) -> str:
    texts = enumerate((_join(_blocks(slide)) for slide in slides), start=1)
    return "\n\n".join(put_heading("slide", str(number), text) for number, text in texts if text)


def read_epub(content: bytes, allowance: Allowance) -> str:
    """A book in the order of its spine."""
    archive = open_archive(content)
    container = parse_member(archive, "META-INF/container.xml", allowance)
    root = next(
        element.get("full-path", "") for element in container.iter() if _name(element) == "rootfile"
    )
    package = parse_member(archive, root, allowance)
    files = {
        element.get("id"): element.get("href", "")
        for element in package.iter()
        if _name(element) == "item"
    }
    spine = [element.get("idref") for element in package.iter() if _name(element) == "itemref"]
    folder = PurePosixPath(root).parent
    return _join(
        read_page(
            b"".join(read_member(archive, str(folder / files[item_id]), allowance)), allowance
        )
        for item_id in spine
        if item_id in files and allowance.spend(PAGE_PARTS)
    )


def read_sheets(content: bytes, allowance: Allowance) -> str:
    """A workbook of Excel or OpenDocument."""
    from python_calamine import CalamineWorkbook

    if content.startswith(ZIP):
        _check_unpacked(content)
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    sheets = []
    for name in book.sheet_names:
        if not allowance.spend(SHEET_PARTS):
            break
        sheet = book.get_sheet_by_name(name)
        most = allowance.parts // max(1, sheet.width)
        allowance.spend(sheet.height * sheet.width)
        if table := _table(sheet.to_python(nrows=most)):
            sheets.append(put_heading("sheet", name, table))
    return "\n\n".join(sheets)


def _check_unpacked(content: bytes) -> None:
    """Raises `ValueError` for a workbook that would be unpacked to more than is read at once."""
    archive, allowance = open_archive(content), Allowance(bytes_left=MAX_WORKBOOK_BYTES)
    for name in archive.namelist():
        for _ in read_member(archive, name, allowance) if name.endswith(".xml") else ():
            pass
    if allowance.is_spent:
        raise ValueError


def read_rtf(content: bytes, allowance: Allowance) -> str:
    from striprtf.striprtf import rtf_to_text

    text = PICTURE.sub(b"", content)
    if len(text) > MAX_RTF_BYTES:
        allowance.spend_all()
    return str(rtf_to_text(text[:MAX_RTF_BYTES].decode("latin-1"), errors="ignore"))


def read_page(content: bytes, allowance: Allowance) -> str:
    charset = CHARSET.search(content[:1024])
    try:
        text = content.decode(charset[1].decode() if charset else "utf-8-sig")
    except (UnicodeDecodeError, LookupError):
        text = content.decode("cp1252", "replace")
    return read_html(text, allowance)


def read_mail(content: bytes, allowance: Allowance) -> str:
    """Who wrote it to whom, when and about what, then the text. Its files are named."""
    for pattern, most in MAIL_LIMITS:
        beyond = next(islice(pattern.finditer(content), most, None), None)
        if beyond is not None:
            allowance.spend_all()
            content = content[: beyond.start()]
    message = email.message_from_bytes(content, policy=email.policy.default)
    head = "\n".join(f"{name}: {value}" for name in HEADERS if (value := _header(message, name)))
    body = message.get_body(("plain", "html"))
    text = body.get_content() if body else ""
    if body and body.get_content_subtype() == "html":
        text = read_html(text, allowance)
    files = [f"[File: {part.get_filename() or 'file'}]" for part in message.iter_attachments()]
    return _join([head, text, "\n".join(files)])


def _header(message: EmailMessage, name: str) -> str:
    """The decoded header, of which the parser takes long for very many people."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return str(message.policy.header_fetch_parse(name, str(raw)[:MAX_HEADER_CHARS]))


def read_outlook(content: bytes, allowance: Allowance) -> str:
    """A mail as Outlook saves it, in the same form."""
    from oxmsg import Message

    message = Message.load(content)
    people = islice(message.recipients, MAX_PEOPLE)
    head = {
        "From": message.sender,
        "To": ", ".join(f"{person.name} <{person.email_address}>" for person in people),
        "Date": str(message.sent_date or ""),
        "Subject": message.subject,
    }
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    text = message.body or read_html(message.html_body or "", allowance)
    attached = islice(message.attachments, MAX_PEOPLE)
    files = [f"[File: {part.file_name or 'file'}]" for part in attached]
    return _join(["\n".join(lines), text.replace("\r\n", "\n"), "\n".join(files)])


def _blocks(element: Element) -> Iterator[str]:
    for child in element:
        name = _name(child)
        if name in PARAGRAPHS:
            yield "".join(_pieces(child))
        elif name in TABLES:
            yield _table(
                ["\n".join(_blocks(cell)) for cell in _find(row, CELLS)]
                for row in _find(child, ROWS)
            )
        elif name not in UNSHOWN:
            yield from _blocks(child)


def _find(element: Element, names: Sequence[str]) -> Iterator[Element]:
    """The rows of a table, or the cells of a row, but for those of a table in a cell."""
    for child in element:
        if _name(child) in names:
            yield child
        elif _name(child) not in TABLES:
            yield from _find(child, names)


def _pieces(paragraph: Element) -> Iterator[str]:
    """Office has all text in `t`, OpenDocument has it anywhere."""
    name = _name(paragraph)
    if name in UNSHOWN:
        return
    is_open = "opendocument" in str(paragraph.tag)
    yield BREAKS.get(name, "")
    if name == "t" or is_open:
        yield paragraph.text or ""
    for child in paragraph:
        yield from _pieces(child)
        if is_open:
            yield child.tail or ""


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
    """Join as many as are kept of a text, and one more."""
    texts, size = [], 0
    for block in blocks:
        if text := block.strip():
            texts.append(text)
            size += len(text)
        if size > MAX_TEXT_CHARS:
            break
    return "\n\n".join(texts)


#: By the forms of `shared/policy/attachments/sniffing.py`.
READERS = {
    "office": read_office, "epub": read_epub, "sheets": read_sheets, "rtf": read_rtf,
    "html": read_page, "mail": read_mail, "outlook": read_outlook,
}  # fmt: skip

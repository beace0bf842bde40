"""Small documents of each form, with no more in them than readers need."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from email.message import EmailMessage

from tests.fakes.files import write_pdf

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DRAWING = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
SHEETS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
ODF = "urn:oasis:names:tc:opendocument:xmlns"
EPUB = "application/epub+zip"


def pack(*files: tuple[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def make_docx() -> bytes:
    def paragraph(text: str) -> str:
        return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"

    row = "<w:tr>{}</w:tr>".format
    cell = "<w:tc>{}</w:tc>".format
    table = row(cell(paragraph("City")) + cell(paragraph("Year"))) + row(
        cell(paragraph("Porto")) + cell(paragraph("2024"))
    )
    deleted = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    tabs = "<w:p><w:r><w:t>One</w:t><w:tab/><w:t>two &amp; three</w:t></w:r></w:p>"
    body = f"{paragraph('A trip')}{deleted}<w:tbl>{table}</w:tbl>{tabs}"
    document = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    return pack(("[Content_Types].xml", "<x/>"), ("word/document.xml", document))


def make_pptx(*slides: str, order: Sequence[int] = ()) -> bytes:
    """`order`: the numbers of the slides as they are shown. Without it none is told."""
    shape = "<p:sld {}><p:cSld><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:cSld></p:sld>".format
    files = [(f"ppt/slides/slide{n}.xml", shape(DRAWING, t)) for n, t in enumerate(slides, start=1)]
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in order)
    linked = "".join(f'<Relationship Id="r{n}" Target="slides/slide{n}.xml"/>' for n in order)
    files.append(("ppt/_rels/presentation.xml.rels", f"<Relationships>{linked}</Relationships>"))
    head = f'<p:presentation {DRAWING} xmlns:r="{LINK}">{listed}</p:presentation>'
    return pack(("ppt/presentation.xml", head), *reversed(files))


def make_odp(*slides: str) -> bytes:
    pages = "".join(f"<draw:page><text:p>{text}</text:p></draw:page>" for text in slides)
    content = (
        f'<o:document-content xmlns:o="{ODF}:office:1.0" xmlns:text="{ODF}:text:1.0" '
        f'xmlns:draw="{ODF}:drawing:1.0"><o:body>{pages}</o:body></o:document-content>'
    )
    kind = "application/vnd.oasis.opendocument.presentation"
    return pack(("mimetype", kind), ("content.xml", content))


def make_xlsx() -> bytes:
    cells = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Item</t></is></c>'
        '<c r="B1" t="inlineStr"><is><t>Price</t></is></c></row>'
        '<row r="2"><c r="A2" t="inlineStr"><is><t>Tea|pot</t></is></c>'
        '<c r="B2"><v>12.5</v></c><c r="C2"><v>3</v></c></row>'
    )
    book = (
        f'<workbook {SHEETS} xmlns:r="{LINK}"><sheets>'
        '<sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    link = (
        f'<Relationships {LINKS}><Relationship Id="r1" Type="{LINK}/{{}}" Target="{{}}"/>'
        "</Relationships>"
    ).format
    sheet = f"<worksheet {SHEETS}><sheetData>{cells}</sheetData></worksheet>"
    return pack(
        ("_rels/.rels", link("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", link("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", sheet),
    )


def make_odt() -> bytes:
    content = (
        f'<o:document-content xmlns:o="{ODF}:office:1.0" xmlns:text="{ODF}:text:1.0" '
        f'xmlns:table="{ODF}:table:1.0"><o:body><o:text><text:h>Notes</text:h>'
        "<text:p>A <text:span>bold</text:span> word<text:line-break/>below</text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>"
        "<table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>"
        "</o:text></o:body></o:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    return pack(("mimetype", kind), ("content.xml", content))


def make_epub() -> bytes:
    container = '<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>'
    book = (
        '<package><manifest><item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    page = "<html><head><title>T</title></head><body><p>{}</p></body></html>".format
    return pack(
        ("mimetype", EPUB), ("META-INF/container.xml", container), ("in/book.opf", book),
        ("in/b.xhtml", page("Second.")), ("in/a.xhtml", page("First.")),
    )  # fmt: skip


def make_mail() -> bytes:
    message = EmailMessage()
    message["From"] = "Ada <ada@example.org>"
    message["Subject"] = "Straße"
    message["Message-ID"] = "<1@example.org>"
    message.set_content("Grüße aus Köln.\n", cte="base64")
    message.add_attachment(b"x", maintype="image", subtype="png", filename="map.png")
    return message.as_bytes()


def make_encoded_pdf(encoding: str, ordering: str, codes: bytes) -> bytes:
    """A PDF with text in an encoding of East Asia, whose letters its font does not name."""
    stream = f"BT /F1 12 Tf 72 720 Td <{codes.hex()}> Tj ET"
    about = f"/Registry (Adobe) /Ordering ({ordering}) /Supplement 0"
    descendant = "/DescendantFonts [6 0 R]"
    fonts = "/Resources << /Font << /F1 5 0 R >> >>"
    return write_pdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R {fonts} >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        f"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /{encoding} {descendant} >>",
        f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << {about} >> >>",
    ])  # fmt: skip

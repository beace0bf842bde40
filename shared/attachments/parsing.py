"""Reads one file that a stranger sent. Runs as a process of its own, with limits.

Its argument is the form of the file, its input the bytes. It writes a line of JSON, then bytes: the
text in UTF-8, or the image anew. An error is a code in that line. Of the site it imports what is
pure alone.
"""

from __future__ import annotations

import io
import json
import resource
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shared.policy.attachments.allowance import MAX_TEXT_CHARS, Allowance
from shared.policy.attachments.headings import put_heading

if TYPE_CHECKING:
    from PIL import Image

MEMORY_BYTES = 512 * 1024**2
#: Documents are counted while they are read, PDFs and images are not.
CPU_S = {"pdf": 10, "image": 20}
DOCUMENT_CPU_S = 4
MAX_PAGES = 500
PAGES_CPU_S = 5.0  # no further page of a PDF is read then
MAX_PIXELS = 40_000_000
MAX_SIDE = 2048
JPEG_QUALITY = 85
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "HEIF")
CUT = "\n[… cut …]\n"


Reader = Callable[[bytes], tuple[dict[str, Any], bytes]]


class UnusableError(Exception):
    """The argument is a code of `shared/attachments/reader.py`."""


def main(form: str) -> None:
    _limit(CPU_S.get(form, DOCUMENT_CPU_S))
    content = sys.stdin.buffer.read()
    try:
        head, body = READERS[form](content) if form in READERS else read_document(form, content)
    except UnusableError as exc:
        head, body = {"error": str(exc)}, b""
    except Exception:  # a broken file may break a library in any way
        head, body = {"error": "broken"}, b""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + body)


def _limit(cpu_s: int) -> None:
    """A file that asks for more ends this process, and nothing else."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # others count memory that is only reserved
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def read_text(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Read text in another encoding than UTF-8."""
    import charset_normalizer

    decoded = charset_normalizer.from_bytes(content).best()
    if decoded is None:
        raise UnusableError("type")
    return {}, _encode(cut_text(str(decoded)))


def read_pdf(content: bytes) -> tuple[dict[str, Any], bytes]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as exc:
        raise UnusableError("encrypted" if "assword" in str(exc) else "broken") from exc
    pages: list[str] = []
    size = 0
    for page in document:
        pages.append(page.get_textpage().get_text_bounded().replace("\r\n", "\n").strip())
        page.close()
        size += len(pages[-1])
        is_late = time.process_time() > PAGES_CPU_S
        if len(pages) == MAX_PAGES or size > MAX_TEXT_CHARS or is_late:
            break
    if not any(pages):
        raise UnusableError("no_text")
    return {}, _encode(cut_text(_join_pages(pages), is_cut=len(pages) < len(document)))


def _join_pages(pages: Sequence[str]) -> str:
    """A single page needs no heading."""
    if len(pages) == 1:
        return pages[0].replace("\f", " ")
    numbered = enumerate(pages, start=1)
    return "\n\n".join(put_heading("page", str(number), page) for number, page in numbered if page)


def read_document(form: str, content: bytes) -> tuple[dict[str, Any], bytes]:
    from shared.attachments import documents

    allowance = Allowance()
    text = documents.READERS[form](content, allowance)
    if allowance.is_spent and not text:
        raise UnusableError("broken")
    return {}, _encode(cut_text(text, is_cut=allowance.is_spent))


def read_image(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The first frame, upright, of `MAX_SIDE` at most, without metadata such as places."""
    from PIL import Image, ImageOps

    image = _decode(content)
    image.thumbnail((MAX_SIDE, MAX_SIDE))  # before all else that makes a copy
    image = ImageOps.exif_transpose(image)
    copy = Image.new(image.mode, image.size)
    copy.paste(image)
    output = io.BytesIO()
    has_alpha = copy.mode == "RGBA"
    if has_alpha:
        copy.save(output, "PNG", optimize=True)
    else:
        copy.save(output, "JPEG", quality=JPEG_QUALITY)
    kind = "image/png" if has_alpha else "image/jpeg"
    return {"media_type": kind, "width": copy.width, "height": copy.height}, output.getvalue()


def _decode(content: bytes) -> Image.Image:
    """In RGB, or RGBA if something is transparent."""
    from pi_heif import register_heif_opener
    from PIL import Image

    register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
            picture.draft("RGB", (MAX_SIDE * 2, MAX_SIDE * 2))
            picture.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as exc:
        raise UnusableError("pixels") from exc
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    if picture.mode.startswith("I"):  # 16 bits of grey, which `convert` would cut off at 255
        return picture.point(lambda grey: grey * (1 / 256)).convert("L").convert(mode)
    return picture if picture.mode == mode else picture.convert(mode)


def cut_text(text: str, *, is_cut: bool = False) -> str:
    """Cut a text to `MAX_TEXT_CHARS`, with a mark at the end if something is missing."""
    if is_cut or len(text) > MAX_TEXT_CHARS:
        return text[: MAX_TEXT_CHARS - len(CUT)] + CUT
    return text


def _encode(text: str) -> bytes:
    return text.replace("\x00", "").encode("utf-8", "replace")


READERS: dict[str, Reader] = {"text": read_text, "pdf": read_pdf, "image": read_image}

if __name__ == "__main__":
    main(sys.argv[1])

"""Small files as people attach them, and as they attack with them."""

from __future__ import annotations

import base64
import io
import struct
import zlib

from PIL import Image

HEIC = (
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAA"
    "AAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoQABAAAAAAAAAB0AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABo"
    "dmMxAAAAAA5waXRtAAAAAAABAAAA/WlwcnAAAADdaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEA"
    "GEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAA"
    "AwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAAB"
    "AAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBpeGkAAAAAAwgICAAAABhpcG1hAAAAAAAAAAEAAQWBAgMFhAAAACVt"
    "ZGF0AAAAGSgBrxOA9SeBP//gpUf/utZ4fg8Lfnny1PA="
)


def make_image(kind: str = "PNG", size: tuple[int, int] = (64, 48), **more: object) -> bytes:
    """A plain picture; `more` goes to Pillow, such as `exif`."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(buffer, kind, **more)
    return buffer.getvalue()


def make_heic() -> bytes:
    """The same plain picture, as a phone keeps it: pi-heif, which reads it, writes none."""
    return base64.b64decode(HEIC)


def make_pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        content = f"/Contents {len(objects)} 0 R /Resources << /Font {font} >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {content} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return write_pdf(objects)


def make_deep_pdf(depth: int = 100_000) -> bytes:
    """A PDF whose arrays are nested so deeply that a parser without limits breaks."""
    return write_pdf([f"<< /Type /Catalog /Pages {'[' * depth} >>", "null"])


def make_stream_bomb(megabytes: int = 2000) -> bytes:
    """A PDF of two megabytes whose page unpacks to a thousand times as much."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(bytes(1024**2)) + packer.flush(zlib.Z_FULL_FLUSH)  # can be repeated
    checksum = megabytes * 1024**2 % 65521 << 16 | 1  # Adler-32 of that many zeros
    stream = b"\x78\xda" + block * megabytes + packer.flush() + struct.pack(">I", checksum)
    packed = stream.decode("latin-1")
    return write_pdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        f"<< /Filter /FlateDecode /Length {len(packed)} >>\nstream\n{packed}\nendstream",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>",
    ])  # fmt: skip


def make_pixel_bomb(side: int = 30_000) -> bytes:
    """A PNG of a few kilobytes that says it is `side` by `side` pixels."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


def write_pdf(objects: list[str]) -> bytes:
    pdf = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(pdf))
        pdf += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(pdf)
    pdf += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    pdf += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return bytes(pdf) + trailer.encode()

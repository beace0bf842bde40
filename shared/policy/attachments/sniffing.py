"""What a file is, by its first bytes. Neither its name nor what a client calls it counts."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from shared.models.attachments import FileKind

MAX_NAME_CHARS = 120
FALLBACK_NAME = "file"
TEXT_TYPE = "text/plain"
WEBP = (b"RIFF", b"WEBP")
#: (first bytes, kind, type)
SIGNATURES: tuple[tuple[bytes, FileKind, str], ...] = (
    (b"%PDF-", "pdf", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image", "image/png"),
    (b"\xff\xd8\xff", "image", "image/jpeg"),
    (b"GIF87a", "image", "image/gif"),
    (b"GIF89a", "image", "image/gif"),
)
#: The zero bytes in texts of these encodings are no sign of a program.
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
#: What begins a file that holds programs or other files, and no text. (The rest has zero bytes.)
CONTAINERS = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\x7fELF", b"MZ")


class Sniffed(NamedTuple):
    kind: FileKind
    media_type: str


def sniff(content: bytes) -> Sniffed | None:
    """What the file is, or may be: text is still to be decoded. None: nothing that is taken."""
    for signature, kind, media_type in SIGNATURES:
        if content.startswith(signature):
            return Sniffed(kind, media_type)
    if (content[:4], content[8:12]) == WEBP:
        return Sniffed("image", "image/webp")
    if content.startswith(CONTAINERS):
        return None
    if b"\x00" in content and not content.startswith(WIDE_MARKS):
        return None
    return Sniffed("text", TEXT_TYPE)


def clean_name(name: str) -> str:
    """The last part of a path, in one line, without characters that show nothing or turn text."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    visible = (" " if one.isspace() else one for one in last if not _is_hidden(one))
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

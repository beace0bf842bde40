"""The XML and the pages in an archive, read piece by piece as far as the allowance goes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree  # the process has limits, and expat its own against entities

from shared.policy.attachments.allowance import MAX_DEPTH, Allowance

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

READ_BYTES = 65_536
MAX_MEMBERS = 10_000
MEMBER = b"PK\x01\x02"


def open_archive(content: bytes) -> zipfile.ZipFile:
    """Raises `ValueError` for an archive of too many files, whose list is read at once."""
    if content.count(MEMBER) > MAX_MEMBERS:
        raise ValueError
    return zipfile.ZipFile(io.BytesIO(content))


def read_member(archive: zipfile.ZipFile, name: str, allowance: Allowance) -> Iterator[bytes]:
    """The pieces of a file."""
    with archive.open(name) as file:
        while (piece := file.read(READ_BYTES)) and allowance.unpack(len(piece)):
            yield piece


def parse_member(archive: zipfile.ZipFile, name: str, allowance: Allowance) -> Element:
    """The root element, with what is in it so far. Raises `ElementTree.ParseError`."""
    parser: ElementTree.XMLPullParser[Element] = ElementTree.XMLPullParser(("start", "end"))
    path: list[Element] = []
    root: Element | None = None
    for piece in read_member(archive, name, allowance):
        parser.feed(piece)
        for kind, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
            root = element if root is None else root
            if kind == "end":
                path.pop()
                continue
            path.append(element)
            if len(path) > MAX_DEPTH:
                path[MAX_DEPTH - 1].clear()
                allowance.spend_all()
            if not allowance.spend(1):
                return root
    if root is None or not allowance.is_spent:
        parser.close()
    if root is None:
        raise ValueError
    return root

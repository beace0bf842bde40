"""Places in files: the page, slide or sheet at which a text stands.

The process that reads a file writes a heading before the text of each place (`headings.py`). It
begins with a form feed, which is taken out of the text itself, so that no document can write one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from shared.models.attachments import Place, PlaceKind

_HEADING = re.compile(r"\f## (Page|Slide|Sheet) ([^\n\f]+)\n*")
#: The ends of the types whose readers write places.
_PLACED_TYPES = ("/pdf", "presentation", ".sheet", "spreadsheet", "ms-excel")


def has_places(media_type: str) -> bool:
    """Whether the reader writes headings of places for files of this type.

    In the text of any other type, a heading comes from the file itself.
    """
    return media_type.endswith(_PLACED_TYPES)


def split_places(text: str) -> Iterator[tuple[Place | None, str]]:
    """The text of each place, without its heading."""
    before, *parts = _HEADING.split(text)
    if before.strip():
        yield None, before
    for word, name, part in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        yield read_place(f"{word.lower()} {name}"), part


def without_headings(text: str) -> str:
    return _HEADING.sub("", text)


def list_headings(text: str) -> list[str]:
    """The headings in the text, without their form feeds."""
    return [heading[0].strip() for heading in _HEADING.finditer(text)]


def read_place(text: str | None) -> Place | None:
    """A place as `str` writes it: `page 12`."""
    word, _, name = (text or "").partition(" ")
    kind = next((kind for kind in get_args(PlaceKind) if kind == word), None)
    return Place(kind=kind, name=name) if kind and name else None

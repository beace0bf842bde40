"""Writes the headings of pages, slides and sheets, which `places.py` reads.

It imports nothing: the process that reads a file begins with it.
"""

from __future__ import annotations

FORM_FEED = "\f"
MAX_NAME_CHARS = 80  # of a sheet; Excel's have 31 at most


def put_heading(kind: str, name: str, text: str) -> str:
    """The text under the heading of its place. `kind` is a `PlaceKind`."""
    seen = "".join(char if char.isprintable() else " " for char in name)
    shown = " ".join(seen.split())[:MAX_NAME_CHARS].rstrip() or "?"
    return f"{FORM_FEED}## {kind.title()} {shown}\n\n{text.replace(FORM_FEED, ' ')}"

"""Text that Postgres can store and search."""

from __future__ import annotations


def is_storable(text: str) -> bool:
    """Without NUL and lone surrogates, which a UTF-8 column cannot store."""
    return storable(text) == text


def storable(text: str) -> str:
    """The text without what cannot be stored. For what models write; people get an error."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def containing_pattern(part: str) -> str:
    """A LIKE pattern for texts that contain `part`, whose own %, _ and \\ are escaped."""
    signs = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return f"%{part.translate(signs)}%"

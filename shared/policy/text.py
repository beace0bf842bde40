"""Text that Postgres can store and search."""

from __future__ import annotations


def is_storable(text: str) -> bool:
    """Whether the text has no NUL and no lone surrogate: a UTF-8 column cannot store them."""
    return storable(text) == text


def storable(text: str) -> str:
    """A model's text without characters that cannot be stored. (A user's text gets an error.)"""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def containing_pattern(part: str) -> str:
    """A LIKE pattern for texts that contain `part`. The %, _ and \\ in `part` are escaped."""
    signs = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return f"%{part.translate(signs)}%"
